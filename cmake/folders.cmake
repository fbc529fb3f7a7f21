# SPDX-License-Identifier: Apache-2.0
# One target per folder of gradus/. It lists the folders and libraries that it links, and its sources:
#   gradus_folder(policies LINKS core SOURCES fixed.cc)
#   gradus_group(policies exp3 exp3.cc exp3s.cc)
# With -DCMAKE_UNITY_BUILD=ON, the files of a group are compiled together, which halves the time.
# They must not define the same name. Those after SOURCES are compiled one by one.
# A folder whose compiler flags differ from those of the others says OWN_FLAGS. A folder whose speed
# does not matter says COLD: under the sanitizers it is compiled without optimisation, in half the
# time.
# The tests of a folder link that folder, and so only what is below it:
#   gradus_test(policies SOURCES fixed_test.cc)
#   gradus_group(policies_test exp3 exp3_test.cc exp3s_test.cc)

add_library(gradus_options INTERFACE)
# C++ only: nvcc does not accept these flags as they are.
# Multiplications and additions are fused only where the source says so. Otherwise the policy's last
# digits, and in long runs its draws, would depend on the instruction set that a build is for.
set(gradus_flags -Wall -Wextra -ffp-contract=off)
if(GRADUS_WERROR)
  list(APPEND gradus_flags -Werror)
endif()
# GCC 12 warns about overlapping and huge copies in plain string concatenation (GCC bug 105651).
# Clang, which compiles the tests, has such warnings too.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND gradus_flags -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
endif()
target_include_directories(gradus_options INTERFACE ${PROJECT_SOURCE_DIR})
if(GRADUS_NATIVE)
  list(APPEND gradus_flags -march=native)
endif()
if(GRADUS_SANITIZE)
  list(APPEND gradus_flags -fsanitize=${GRADUS_SANITIZE} -fno-omit-frame-pointer
       -fno-sanitize-recover=all)
  if(GRADUS_SANITIZE_EXCEPT)
    list(APPEND gradus_flags -fno-sanitize=${GRADUS_SANITIZE_EXCEPT})
  endif()
  target_link_options(gradus_options INTERFACE -fsanitize=${GRADUS_SANITIZE})
endif()
target_compile_options(gradus_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${gradus_flags}>")

# Headers that most files include, precompiled because reading them takes 0.3 s per file. Files still
# include what they use: clang-tidy reads them without these.
set(gradus_headers <algorithm> <array> <charconv> <cmath> <cstdint> <filesystem> <functional> <map>
    <memory> <optional> <span> <sstream> <stdexcept> <string> <string_view> <vector>)

# Replaces each name of a folder by its target. Other names are libraries.
function(gradus_targets result)
  set(targets)
  foreach(name ${ARGN})
    if(TARGET gradus_${name})
      list(APPEND targets gradus_${name})
    else()
      list(APPEND targets ${name})
    endif()
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

# Adds files to the target of a folder, or to another target.
function(gradus_group name group)
  gradus_targets(target ${name})
  target_sources(${target} PRIVATE ${ARGN})
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
endfunction()

# For targets whose speed does not matter, such as tests: the library takes most of their time.
function(gradus_cold target)
  if(GRADUS_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

function(gradus_folder folder)
  cmake_parse_arguments(FOLDER "OWN_FLAGS;COLD" "" "SOURCES;LINKS;PRIVATE" ${ARGN})
  gradus_targets(links ${FOLDER_LINKS})
  gradus_targets(private ${FOLDER_PRIVATE})
  add_library(gradus_${folder} STATIC ${FOLDER_SOURCES})
  target_link_libraries(gradus_${folder} PUBLIC $<BUILD_INTERFACE:gradus_options> ${links}
                                         PRIVATE ${private})
  gradus_install_component(${folder} ${FOLDER_LINKS} ${FOLDER_PRIVATE})
  set_target_properties(gradus_${folder} PROPERTIES
    UNITY_BUILD_MODE GROUP POSITION_INDEPENDENT_CODE ${GRADUS_PYTHON_MODULE})
  if(FOLDER_COLD)
    gradus_cold(gradus_${folder})
  endif()
  if(FOLDER_OWN_FLAGS OR (FOLDER_COLD AND GRADUS_SANITIZE) OR folder STREQUAL core)
    target_precompile_headers(gradus_${folder} PRIVATE ${gradus_headers})
  else()
    target_precompile_headers(gradus_${folder} REUSE_FROM gradus_core)
  endif()
endfunction()

function(gradus_test folder)
  cmake_parse_arguments(TEST "" "SHARDS" "SOURCES;LINKS" ${ARGN})
  gradus_targets(links ${folder} ${TEST_LINKS})
  add_executable(${folder}_test ${TEST_SOURCES})
  target_link_libraries(${folder}_test PRIVATE ${links} GTest::gtest_main GTest::gmock rapidcheck)
  set_target_properties(${folder}_test PROPERTIES UNITY_BUILD_MODE GROUP)
  gradus_cold(${folder}_test)
  target_precompile_headers(${folder}_test REUSE_FROM test_headers)
  gradus_run_test(${folder}_test LABEL ${folder} SHARDS ${TEST_SHARDS})
endfunction()

# Runs a test program in SHARDS processes, one if it is not set. A process for each case would cost
# more time than most cases.
function(gradus_run_test program)
  cmake_parse_arguments(RUN "" "LABEL;SHARDS" "" ${ARGN})
  if(NOT RUN_SHARDS)
    set(RUN_SHARDS 1)
  endif()
  foreach(shard RANGE 1 ${RUN_SHARDS})
    math(EXPR index "${shard} - 1")
    add_test(NAME ${program}.${shard} COMMAND ${program})
    set_tests_properties(${program}.${shard} PROPERTIES
      LABELS ${RUN_LABEL}
      TIMEOUT 600
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${RUN_SHARDS};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# Tests of many samples, which take seconds if optimised and minutes under the sanitizers. They are
# not built there: other tests run the same code of the library.
#   gradus_optimised_test(learning SOURCES learning_test.cc LINKS runs)
function(gradus_optimised_test name)
  cmake_parse_arguments(TEST "" "SHARDS" "SOURCES;LINKS" ${ARGN})
  if(NOT GRADUS_SANITIZE)
    gradus_targets(links ${TEST_LINKS})
    add_executable(${name}_test ${TEST_SOURCES})
    target_link_libraries(${name}_test PRIVATE ${links} GTest::gtest_main)
    target_precompile_headers(${name}_test REUSE_FROM test_headers)
    gradus_run_test(${name}_test LABEL ${name} SHARDS ${TEST_SHARDS})
  endif()
endfunction()
