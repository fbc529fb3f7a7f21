# SPDX-License-Identifier: Apache-2.0
# Installs the program with its man page and completion, the component program, and makes a .deb of
# it: cmake --build BUILD --target package.
set(man_page ${CMAKE_CURRENT_BINARY_DIR}/gradus.1.gz)
set(completion ${CMAKE_CURRENT_BINARY_DIR}/completion/gradus)
add_custom_command(OUTPUT ${man_page} ${completion}
  COMMAND ${CMAKE_COMMAND} -E make_directory completion
  COMMAND gradus print man-page > gradus.1
  COMMAND gzip -9nf gradus.1
  COMMAND gradus print bash-completion > ${completion}
  DEPENDS gradus
  WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
  COMMENT "Printing the man page and the completion"
  VERBATIM)
add_custom_target(gradus_documents ALL DEPENDS ${man_page} ${completion})

install(TARGETS gradus DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright
  COMPONENT program)

# Make no package of a program that may not start on another machine. CMake has a target `package`
# wherever it finds CPackConfig.cmake, even that of an earlier configuration.
if(GRADUS_NATIVE OR GRADUS_SANITIZE)
  file(REMOVE ${PROJECT_BINARY_DIR}/CPackConfig.cmake)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "the Gradus maintainers")
set(CPACK_PACKAGE_CONTACT "the Gradus maintainers <maintainers@gradus.invalid>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};gradus;program;/")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # needs dpkg-dev
set(CPACK_DEBIAN_PACKAGE_SUGGESTS bible-kjv)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Chooses what a neural network studies next: a bandit draws a task for every batch and is\n\
rewarded by how much the network has just learned from it. Implements Graves et al. 2017.")
include(CPack)
