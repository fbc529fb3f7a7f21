# SPDX-License-Identifier: Apache-2.0
# Bundles the pages of the program, and embeds each in a library:
#   gradus_page(report)
# makes web/report/src one HTML file in the build tree, and the target gradus_report_page, which
# defines gradus::report_page() (web/pages.h). A source distribution has the bundled pages in
# web/bundled (setup.py), and so needs no npm.
find_program(GRADUS_NPM npm)
find_program(GRADUS_NODE node)
set(gradus_web_source ${PROJECT_SOURCE_DIR}/web)
set(gradus_bundled_pages ${gradus_web_source}/bundled)
if(NOT EXISTS ${gradus_bundled_pages} AND (NOT GRADUS_NPM OR NOT GRADUS_NODE))
  message(FATAL_ERROR "npm and node, which bundle the page of `gradus report`, were not found; "
                      "run scripts/setup, or build without the command: -DGRADUS_REPORT=OFF")
endif()
enable_language(ASM)

# The target `name` installs the packages of source/package.json in `folder`, for `purpose`.
function(gradus_npm_packages name source folder purpose)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/node_modules/.package-lock.json
    COMMAND ${CMAKE_COMMAND} -E copy ${source}/package.json ${source}/package-lock.json ${folder}
    COMMAND ${GRADUS_NPM} ci --ignore-scripts --no-audit --no-fund --silent
    WORKING_DIRECTORY ${folder}
    DEPENDS ${source}/package.json ${source}/package-lock.json
    COMMENT "Installing the packages of ${purpose}")
  add_custom_target(${name} DEPENDS ${folder}/node_modules/.package-lock.json)
endfunction()

set(gradus_web_folder ${PROJECT_BINARY_DIR}/web)
# Commands of other folders wait for this target, so that they do not install at the same time.
gradus_npm_packages(gradus_web_packages ${gradus_web_source} ${gradus_web_folder} "the pages")

# Sets `result` to the file of the page, and says how to make it unless it is there already.
function(gradus_bundle result name)
  if(EXISTS ${gradus_bundled_pages})
    set(${result} ${gradus_bundled_pages}/${name}.html PARENT_SCOPE)
    return()
  endif()
  set(page ${gradus_web_folder}/${name}.html)
  set(${result} ${page} PARENT_SCOPE)
  # The pages share modules, so each depends on the sources of both.
  file(GLOB parts CONFIGURE_DEPENDS ${gradus_web_source}/*/src/*)
  add_custom_command(OUTPUT ${page}
    COMMAND ${GRADUS_NODE} ${gradus_web_source}/bundle.mjs ${gradus_web_source}/${name}/src ${page}
    WORKING_DIRECTORY ${gradus_web_folder}
    DEPENDS ${gradus_web_source}/bundle.mjs ${parts} gradus_web_packages
    COMMENT "Bundling the page of gradus ${name}")
endfunction()

function(gradus_page name)
  gradus_bundle(page ${name})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}_page)
  configure_file(${gradus_web_source}/page.S.in ${source}.S @ONLY)
  configure_file(${gradus_web_source}/page.cc.in ${source}.cc @ONLY)
  add_library(gradus_${name}_page STATIC ${source}.cc ${source}.S)
  target_link_libraries(gradus_${name}_page PRIVATE gradus_options)
  set_source_files_properties(${source}.S PROPERTIES OBJECT_DEPENDS ${page})
endfunction()
