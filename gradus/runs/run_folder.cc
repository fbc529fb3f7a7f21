#include "gradus/runs/run_folder.h"

#include <string>

namespace gradus {

std::filesystem::path free_run_folder(const RunSettings& settings) {
  const std::string name =
      "runs/" + settings.curriculum + "-" + settings.gain + "-" + std::to_string(settings.seed);
  std::string folder = name;
  for (int i = 2; std::filesystem::exists(folder); ++i) folder = name + "." + std::to_string(i);
  return folder;
}

}  // namespace gradus
