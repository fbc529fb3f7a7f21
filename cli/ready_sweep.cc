// SPDX-License-Identifier: Apache-2.0
#include "cli/ready_sweep.h"

#include <optional>

#include "cli/ready_configs.h"
#include "cli/table.h"
#include "gradus/core/error.h"

namespace gradus::cli {

void add_ready_sweep_options(CLI::App& command, ReadySweepOptions& options,
                             const std::string& scales, const std::string& folder) {
  command.add_option("overrides", options.overrides,
                     "key=value for all runs, as for gradus sweep; 'seed=[1, 2]' trains fewer "
                     "seeds");
  command.add_option("--scale", options.scale, scales)->capture_default_str();
  command.add_option("--out", options.out, "folder for the runs; default: " + folder)
      ->type_name("DIR")
      ->check(valid_name());
  add_sweep_flags(command, options.flags);
  add_json_flag(command, options.json);
}

std::vector<SweepRun> ready_runs(const std::string& name, const std::string& scale,
                                 const std::vector<std::string>& overrides) {
  const std::string path = scale + "/" + name;
  const auto config = ready_configs().find(path);
  if (config == ready_configs().end()) {
    throw_unknown("scale", scale, std::vector<std::string>{"demo", "paper"});
  }
  return parse_sweep(config->second, "configs/" + path + ".toml", overrides);
}

void train_and_write(const std::vector<SweepRun>& runs, const std::string& folder,
                     const ReadySweepOptions& options,
                     const std::function<void(const std::string& results)>& write) {
  SweepFlags flags = options.flags;
  if (flags.dry_run) {
    flags.json = options.json;
    return run_sweep(runs, folder, flags);
  }
  std::optional<std::runtime_error> failure;
  try {
    run_sweep(runs, folder, flags);
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    failure = error;
  }
  std::filesystem::create_directories(folder);
  write(flags.results.empty() ? folder : flags.results);
  if (failure) throw *failure;
}

}  // namespace gradus::cli
