// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/files/text_task.h"

#include <algorithm>

#include "gradus/curricula/files/text_file.h"

namespace gradus::files {
namespace {

void check_count(const TaskSequences& sequences, std::size_t least, std::size_t symbols,
                 const std::string& file, const TextSettings& settings) {
  if (sequences.size() >= least) return;
  throw_at(file, 1,
           std::to_string(symbols) + " " + name_of(settings.unit) + (symbols == 1 ? "" : "s") +
               " in the file make " +
               (sequences.size() == 0 ? "no sequence" : "only one sequence") + " of " +
               std::to_string(settings.sequence) + " (files.sequence), " +
               std::to_string(settings.context) + " of them context (files.context)" +
               (least == 1 ? "" : "; a task needs two, one to train on and one to hold out"));
}

}  // namespace

TaskSequences read_text(std::string_view text, const std::string& file,
                        const TextSettings& settings, SymbolCounter& counter, std::size_t least) {
  std::vector<std::int32_t> symbols;
  for_each_symbol(text, settings.unit,
                  [&](std::string_view symbol) { symbols.push_back(counter.met(symbol)); });
  const auto length = static_cast<std::size_t>(settings.sequence);
  const auto context = static_cast<std::size_t>(settings.context);
  TaskSequences sequences;
  for (std::size_t first = 0; first + context < symbols.size(); first += length) {
    const std::size_t steps = std::min(length, symbols.size() - first);
    for (std::size_t t = 0; t < steps; ++t) {
      sequences.add_step(t == 0 ? kNoToken : symbols[first + t - 1],
                         t < context ? kNoToken : symbols[first + t]);
    }
    sequences.end_sequence();
  }
  check_count(sequences, least, symbols.size(), file, settings);
  return sequences;
}

}  // namespace gradus::files
