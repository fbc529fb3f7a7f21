// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "gradus/gains/gains.h"
#include "gradus/policies/policies.h"
#include "gradus/runs/runner.h"

namespace gradus::cli {
namespace {

template <typename Entries>
void print(const Entries& entries) {
  std::size_t width = 0;
  for (const auto& entry : entries) width = std::max(width, entry.name.size());
  for (const auto& entry : entries) fmt::print("{:{}}  {}\n", entry.name, width, entry.summary);
}

}  // namespace

void add_list(CLI::App& app) {
  CLI::App* list = app.add_subcommand("list", "List the gains, policies or curricula");
  list->require_subcommand(1);
  list->add_subcommand("gains", "Signals of learning progress")->callback([] {
    print(gain_list());
  });
  list->add_subcommand("policies", "Ways to choose the next task")->callback([] {
    print(policy_list());
  });
  list->add_subcommand("curricula", "Sets of tasks")->callback([] { print(curriculum_list()); });
}

}  // namespace gradus::cli
