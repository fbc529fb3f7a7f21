# SPDX-License-Identifier: Apache-2.0
# Uses ccache if it is installed, unless CMAKE_CXX_COMPILER_LAUNCHER names another launcher.
find_program(GRADUS_CCACHE ccache)
if(GRADUS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache stores files that use precompiled headers only with these settings.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
                                  CCACHE_SLOPPINESS=pch_defines,time_macros ${GRADUS_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${GRADUS_CCACHE})
endif()
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
