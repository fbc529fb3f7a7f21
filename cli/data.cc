// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <sstream>

#include <unistd.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "gradus/runs/settings.h"

namespace gradus::cli {
namespace {

struct DataOptions {
  RunSettings settings;
  std::vector<std::string> overrides;
  std::uint64_t seed = 1;
  SampleCommand samples;
};

// Ends the last line only on a terminal: a file gets exactly what was sampled.
void write_samples(const DataOptions& options) {
  if (::isatty(STDOUT_FILENO) == 1) {
    std::ostringstream text;
    options.samples.run(options.seed, text);
    std::cout << text.str() << (text.str().ends_with('\n') ? "" : "\n");
  } else {
    options.samples.run(options.seed, std::cout);
  }
  if (!std::cout.flush()) throw std::runtime_error(output_failure());
}

template <typename Number>
void add_number(CLI::App& command, const Setting& option, Number& value) {
  CLI::Option* added = command.add_option("--" + option.key, value, option.help)
                           ->check(CLI::Range(static_cast<Number>(option.range.low),
                                              static_cast<Number>(option.range.high)));
  if (option.range.contains(static_cast<double>(value))) added->capture_default_str();
}

void add_option(CLI::App& command, const Setting& option) {
  const auto add = [&](const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string*>) {
      CLI::Option* added = command.add_option("--" + option.key, *value, option.help);
      if (option.is_path) added->type_name("FILE");
    } else if constexpr (std::is_same_v<Value, int*> || std::is_same_v<Value, std::int64_t*>) {
      add_number(command, option, *value);
    } else {
      throw std::logic_error("--" + option.key + " has a type that no option supports");
    }
  };
  std::visit(add, option.value);
}

void add_curriculum(CLI::App& data, const CurriculumEntry& entry) {
  const auto options = std::make_shared<DataOptions>();
  options->samples = sample_command(entry.name, options->settings.curricula, warn);
  CLI::App* command = data.add_subcommand(entry.name, entry.summary);
  for (const Setting& option : options->samples.options) add_option(*command, option);
  add_seed_option(*command, options->seed, "random seed of the samples");
  command->add_option(
      "settings", options->overrides,
      "key=value settings of the curriculum (see " + entry.table + ".* in gradus train --help)");
  command->callback([options, table = entry.table] {
    apply_overrides(options->overrides, options->settings, table);
    write_samples(*options);
  });
}

}  // namespace

void add_data(CLI::App& app) {
  CLI::App* data = app.add_subcommand("data", "Print sample sequences of a task in readable form");
  data->require_subcommand(1);
  for (const CurriculumEntry& entry : curriculum_list()) add_curriculum(*data, entry);
}

}  // namespace gradus::cli
