# SPDX-License-Identifier: Apache-2.0
# `cmake --install` installs each room as a component of its own: its library, its headers, and for
# CMake the target gradus::ROOM and gradus-ROOM.cmake, which lists what that target links. The
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

# Writes gradus-ROOM.cmake: the rooms that `room` needs, each after those that it needs itself and
# `room` last, and the packages of all of them. The other arguments are what it links directly.
function(gradus_list_links room)
  set(rooms)
  set(packages)
  foreach(name ${ARGN})
    if(TARGET gradus_${name})
      get_target_property(more_rooms gradus_${name} GRADUS_ROOMS)
      get_target_property(more_packages gradus_${name} GRADUS_PACKAGES)
      list(APPEND rooms ${more_rooms})
      list(APPEND packages ${more_packages})
    else()
      gradus_package(package ${name})
      list(APPEND packages ${package})
    endif()
  endforeach()
  list(APPEND rooms ${room})
  list(REMOVE_DUPLICATES rooms)
  list(REMOVE_DUPLICATES packages)
  set_target_properties(gradus_${room} PROPERTIES GRADUS_ROOMS "${rooms}"
                                                  GRADUS_PACKAGES "${packages}")
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/gradus-${room}.cmake
    "set(gradus_rooms ${rooms})\nset(gradus_packages ${packages})\n")
endfunction()

function(gradus_install_room room)
  gradus_list_links(${room} ${ARGN})
  add_library(gradus::${room} ALIAS gradus_${room})
  set_target_properties(gradus_${room} PROPERTIES EXPORT_NAME ${room})
  target_compile_features(gradus_${room} PUBLIC cxx_std_20)
  target_include_directories(gradus_${room} INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS gradus_${room} EXPORT gradus-${room}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${room})
  install(EXPORT gradus-${room} FILE gradus-${room}-target.cmake NAMESPACE gradus::
    DESTINATION ${gradus_cmake_folder} COMPONENT ${room})
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gradus-${room}.cmake
    DESTINATION ${gradus_cmake_folder} COMPONENT ${room})
  # Users reach the CUDA back end through nn/device.h. Headers *-inl.h are parts of sources.
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ COMPONENT ${room}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gradus/${room}
    FILES_MATCHING PATTERN "*.h" PATTERN "*-inl.h" EXCLUDE PATTERN cuda EXCLUDE
                   PATTERN no_cuda EXCLUDE)
endfunction()

write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/gradusConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/gradusConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/gradusConfigVersion.cmake
  DESTINATION ${gradus_cmake_folder} COMPONENT core)
