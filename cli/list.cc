// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/table.h"
#include "gradus/gains/gains.h"
#include "gradus/policies/policies.h"
#include "gradus/runs/runner.h"

namespace gradus::cli {
namespace {

template <typename Entries>
void add_entries(CLI::App& list, const std::string& name, const std::string& help,
                 const Entries& entries) {
  CLI::App* command = list.add_subcommand(name, help);
  auto json = std::make_shared<bool>(false);
  add_json_flag(*command, *json);
  command->callback([&entries, json] {
    nlohmann::ordered_json objects = nlohmann::ordered_json::array();
    std::vector<Row> rows;
    for (const auto& entry : entries) {
      objects.push_back({{"name", entry.name}, {"summary", entry.summary}});
      rows.push_back({entry.name, entry.summary});
    }
    fmt::print("{}", *json ? objects.dump(2) + "\n" : aligned(rows));
  });
}

}  // namespace

void add_list(CLI::App& app) {
  CLI::App* list = app.add_subcommand("list", "List the gains, policies or curricula");
  list->require_subcommand(1);
  add_entries(*list, "gains", "Signals of learning progress", gain_list());
  add_entries(*list, "policies", "Ways to choose the next task", policy_list());
  add_entries(*list, "curricula", "Sets of tasks", curriculum_list());
}

}  // namespace gradus::cli
