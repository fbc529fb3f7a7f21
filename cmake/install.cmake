# SPDX-License-Identifier: Apache-2.0
# `cmake --install` installs each folder as a component of its own: its library, its headers, and for
# CMake the target gradus::NAME and gradus-NAME.cmake, which lists what that target links. The
# component core also has gradusConfig.cmake, which reads these lists.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(gradus_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gradus)

# The package that defines an imported target.
function(gradus_package result target)
  string(REGEX REPLACE "::.*" "" package ${target})
  string(REGEX REPLACE "^SQLite$" "SQLite3" package ${package})
  string(REGEX REPLACE "^CUDA$" "CUDAToolkit" package ${package})
  set(${result} ${package} PARENT_SCOPE)
endfunction()

# Writes gradus-NAME.cmake: the components that `name` needs, each after those that it needs itself
# and `name` last, and the packages of all of them. The other arguments are what it links directly.
function(gradus_list_links name)
  set(components)
  set(packages)
  foreach(link ${ARGN})
    if(TARGET gradus_${link})
      get_target_property(more_components gradus_${link} GRADUS_COMPONENTS)
      get_target_property(more_packages gradus_${link} GRADUS_PACKAGES)
      list(APPEND components ${more_components})
      list(APPEND packages ${more_packages})
    else()
      gradus_package(package ${link})
      list(APPEND packages ${package})
    endif()
  endforeach()
  list(APPEND components ${name})
  list(REMOVE_DUPLICATES components)
  list(REMOVE_DUPLICATES packages)
  set_target_properties(gradus_${name} PROPERTIES GRADUS_COMPONENTS "${components}"
                                                  GRADUS_PACKAGES "${packages}")
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/gradus-${name}.cmake
    "set(gradus_components ${components})\nset(gradus_packages ${packages})\n")
endfunction()

function(gradus_install_component name)
  gradus_list_links(${name} ${ARGN})
  add_library(gradus::${name} ALIAS gradus_${name})
  set_target_properties(gradus_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(gradus_${name} PUBLIC cxx_std_20)
  target_include_directories(gradus_${name} INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS gradus_${name} EXPORT gradus-${name}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${name})
  install(EXPORT gradus-${name} FILE gradus-${name}-target.cmake NAMESPACE gradus::
    DESTINATION ${gradus_cmake_folder} COMPONENT ${name})
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gradus-${name}.cmake
    DESTINATION ${gradus_cmake_folder} COMPONENT ${name})
  # Users reach the CUDA back end through nn/device.h. Headers *-inl.h are parts of sources.
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ COMPONENT ${name}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gradus/${name}
    FILES_MATCHING PATTERN "*.h" PATTERN "*-inl.h" EXCLUDE PATTERN cuda EXCLUDE
                   PATTERN no_cuda EXCLUDE)
endfunction()

write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/gradusConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/gradusConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/gradusConfigVersion.cmake
  DESTINATION ${gradus_cmake_folder} COMPONENT core)
