# SPDX-License-Identifier: Apache-2.0
# Bundles the page of `gradus report` into one file, GRADUS_PAGE, in the build tree.
find_program(GRADUS_NPM npm)
find_program(GRADUS_NODE node)
if(NOT GRADUS_NPM OR NOT GRADUS_NODE)
  message(FATAL_ERROR "npm and node, which bundle the page of `gradus report`, were not found; "
                      "run scripts/setup, or build without the command: -DGRADUS_REPORT=OFF")
endif()

set(source ${PROJECT_SOURCE_DIR}/web/report)
set(folder ${PROJECT_BINARY_DIR}/web/report)
set(GRADUS_PAGE ${folder}/report.html)
file(MAKE_DIRECTORY ${folder})
file(GLOB parts CONFIGURE_DEPENDS ${source}/src/*)

add_custom_command(OUTPUT ${folder}/node_modules/.package-lock.json
  COMMAND ${CMAKE_COMMAND} -E copy ${source}/package.json ${source}/package-lock.json ${folder}
  COMMAND ${GRADUS_NPM} ci --ignore-scripts --no-audit --no-fund --silent
  WORKING_DIRECTORY ${folder}
  DEPENDS ${source}/package.json ${source}/package-lock.json
  COMMENT "Installing the packages of the report page")
add_custom_command(OUTPUT ${GRADUS_PAGE}
  COMMAND ${GRADUS_NODE} ${source}/bundle.mjs ${source}/src ${GRADUS_PAGE}
  WORKING_DIRECTORY ${folder}
  DEPENDS ${source}/bundle.mjs ${parts} ${folder}/node_modules/.package-lock.json
  COMMENT "Bundling the report page")
