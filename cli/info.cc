// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/table.h"
#include "gradus/core/version.h"
#include "gradus/nn/cpu/fast/products.h"
#include "gradus/nn/device.h"

namespace gradus::cli {
namespace {

void print_info(bool json) {
  const std::vector<Row> facts = {
      {"gradus", std::string(version())},
      {"compiler", __VERSION__},
      {"simd", fast::simd_name()},
      {"cuda", cuda_description()},
      {"processors", std::to_string(std::thread::hardware_concurrency())}};
  if (!json) return fmt::print("{}", aligned(facts));
  nlohmann::ordered_json object;
  for (const Row& fact : facts) object[fact[0]] = fact[1];
  fmt::print("{}\n", object.dump(2));
}

}  // namespace

void add_info(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "Show the version, the build and the hardware");
  auto json = std::make_shared<bool>(false);
  add_json_flag(*command, *json);
  command->callback([json] { print_info(*json); });
}

}  // namespace gradus::cli
