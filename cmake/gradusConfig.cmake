# SPDX-License-Identifier: Apache-2.0
# find_package(gradus [COMPONENTS core policies ...]) defines a target gradus::COMPONENT for each
# component, or for all that are installed. It finds only the packages that these link.
include(CMakeFindDependencyMacro)

file(GLOB gradus_installed RELATIVE ${CMAKE_CURRENT_LIST_DIR}
  ${CMAKE_CURRENT_LIST_DIR}/gradus-*-target.cmake)
list(TRANSFORM gradus_installed REPLACE "^gradus-(.*)-target\\.cmake$" "\\1")
if(NOT gradus_FIND_COMPONENTS)
  set(gradus_FIND_COMPONENTS ${gradus_installed})
endif()

# A component that another one needs may be missing, too: they can be installed one by one.
set(gradus_needed)
foreach(gradus_component IN LISTS gradus_FIND_COMPONENTS)
  include(${CMAKE_CURRENT_LIST_DIR}/gradus-${gradus_component}.cmake OPTIONAL
    RESULT_VARIABLE gradus_file)
  if(gradus_file)
    list(APPEND gradus_needed ${gradus_components})
    set(gradus_${gradus_component}_FOUND TRUE)
  elseif(gradus_FIND_REQUIRED_${gradus_component})
    list(APPEND gradus_needed ${gradus_component})
  endif()
endforeach()
list(REMOVE_DUPLICATES gradus_needed)

foreach(gradus_component IN LISTS gradus_needed)
  if(NOT gradus_component IN_LIST gradus_installed)
    list(JOIN gradus_installed ", " gradus_installed)
    set(gradus_FOUND FALSE)
    set(gradus_NOT_FOUND_MESSAGE "component \"${gradus_component}\" is not installed in \
${CMAKE_CURRENT_LIST_DIR}. Installed are: ${gradus_installed}. docs/library.md lists the build \
options that add others.")
    return()
  endif()
  include(${CMAKE_CURRENT_LIST_DIR}/gradus-${gradus_component}.cmake)
  foreach(gradus_package IN LISTS gradus_packages)
    find_dependency(${gradus_package})
  endforeach()
  include(${CMAKE_CURRENT_LIST_DIR}/gradus-${gradus_component}-target.cmake)
endforeach()
