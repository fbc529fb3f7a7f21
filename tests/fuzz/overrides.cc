// Settings of the command line, one key=value per line. What is accepted can be written to a config
// and read from it.

#include <sstream>

#include "gradus/runs/settings.h"
#include "gradus/runs/toml_settings.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradus;
  std::istringstream lines(fuzz::text_of(data, size));
  RunSettings settings;
  for (std::string line; std::getline(lines, line);) {
    fuzz::accepted([&] { return apply_override(line, settings), true; });
  }
  const std::string text = config_text(settings);
  RunSettings again;
  load_table(parse_toml(text, "written"), "", "written", again);
  fuzz::require(config_text(again) == text, "a config is read as it was written:\n" + text);
  return 0;
}
