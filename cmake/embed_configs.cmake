# SPDX-License-Identifier: Apache-2.0
# Embeds the ready-made configs in the program, so that `gradus reproduce` needs no other files:
# gradus_embed_configs(OUT_CC) writes a source file that defines gradus::cli::ready_configs().
function(gradus_embed_configs out)
  file(GLOB configs CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/configs
    ${PROJECT_SOURCE_DIR}/configs/*/*.toml)
  set(entries)
  foreach(config IN LISTS configs)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                                           ${PROJECT_SOURCE_DIR}/configs/${config})
    file(READ ${PROJECT_SOURCE_DIR}/configs/${config} text)
    string(REPLACE ".toml" "" name ${config})
    string(APPEND entries "      {\"${name}\", R\"CONFIG(${text})CONFIG\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [=[
#include "cli/ready_configs.h"

namespace gradus::cli {

const std::map<std::string, std::string>& ready_configs() {
  static const std::map<std::string, std::string> configs = {
@entries@  };
  return configs;
}

}  // namespace gradus::cli
]=])
endfunction()
