// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/babi/tasks.h"

#include <algorithm>
#include <cctype>

#include "gradus/core/error.h"
#include "gradus/curricula/babi/generators.h"

namespace gradus::babi {
namespace {

constexpr std::array<Task, kTaskCount> kTasks{{
    {1, "Single Supporting Fact", "single-supporting-fact", single_supporting_fact},
    {2, "Two Supporting Facts", "two-supporting-facts", two_supporting_facts},
    {3, "Three Supporting Facts", "three-supporting-facts", three_supporting_facts},
    {4, "Two Arg Relations", "two-arg-relations", two_argument_relations},
    {5, "Three Arg Relations", "three-arg-relations", three_argument_relations},
    {6, "Yes/No Questions", "yes-no-questions", yes_no_questions},
    {7, "Counting", "counting", counting},
    {8, "Lists/Sets", "lists-sets", lists_sets},
    {9, "Simple Negation", "simple-negation", simple_negation},
    {10, "Indefinite Knowledge", "indefinite-knowledge", indefinite_knowledge},
    {11, "Basic Coreference", "basic-coreference", basic_coreference},
    {12, "Conjunction", "conjunction", conjunction},
    {13, "Compound Coreference", "compound-coreference", compound_coreference},
    {14, "Time Reasoning", "time-reasoning", time_reasoning},
    {15, "Basic Deduction", "basic-deduction", basic_deduction},
    {16, "Basic Induction", "basic-induction", basic_induction},
    {17, "Positional Reasoning", "positional-reasoning", positional_reasoning},
    {18, "Size Reasoning", "size-reasoning", size_reasoning},
    {19, "Path Finding", "path-finding", path_finding},
    {20, "Agent's Motivations", "agents-motivations", agents_motivations},
}};

std::string letters_and_digits(std::string_view name) {
  std::string kept;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) kept += static_cast<char>(std::tolower(byte));
  }
  return kept;
}

}  // namespace

const std::array<Task, kTaskCount>& all_tasks() {
  return kTasks;
}

int find_task(std::string_view name) {
  const std::string wanted = letters_and_digits(name);
  std::vector<std::string> known;
  for (const Task& task : kTasks) {
    const std::string number = std::to_string(task.number);
    if (wanted == number || wanted == "qa" + number || wanted == letters_and_digits(task.title)) {
      return task.number - 1;
    }
    known.push_back(letters_and_digits(task.title));
  }
  const std::string near = nearest_name(wanted, known);
  const auto place = std::find(known.begin(), known.end(), near);
  throw InputError("unknown bAbI task \"" + std::string(name) + "\"; " +
                   (place == known.end()
                        ? "expected a number from 1 to 20 or a name such as path-finding"
                        : "did you mean " + std::string(kTasks[place - known.begin()].slug) + "?"));
}

}  // namespace gradus::babi
