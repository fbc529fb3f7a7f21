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
#include "gradus/nn/gpus.h"

namespace gradus::cli {
namespace {

// A row for each GPU, under the name by which the setting "device" knows it.
std::vector<Row> gpu_rows() {
  const Gpus& gpus = cuda_gpus();
  if (!gpus.problem().empty()) return {{"cuda", "none: " + gpus.problem()}};
  std::vector<Row> rows;
  for (const Gpu& gpu : gpus.list()) {
    const auto number = static_cast<int>(rows.size());
    const std::string state = gpu.problem.empty()
                                  ? fmt::format("{} MiB free", gpus.free_memory(number) >> 20)
                                  : "unusable: " + gpu.problem;
    rows.push_back({fmt::format("cuda:{}", number), gpu.description + ", " + state});
  }
  return rows;
}

void print_info(bool json) {
  std::vector<Row> facts = {
      {"gradus", std::string(version())}, {"compiler", __VERSION__}, {"simd", fast::simd_name()}};
  for (Row& row : gpu_rows()) facts.push_back(std::move(row));
  facts.push_back({"processors", std::to_string(std::thread::hardware_concurrency())});
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
