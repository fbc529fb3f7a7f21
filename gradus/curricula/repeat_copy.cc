// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/repeat_copy.h"

#include <cmath>

namespace gradus {
namespace {

double standardised(int repeats, int max_repeats) {
  if (max_repeats == 1) return 0;
  const double mean = (max_repeats + 1) / 2.0;
  const double variance = (static_cast<double>(max_repeats) * max_repeats - 1) / 12.0;
  return (repeats - mean) / std::sqrt(variance);
}

// The lowest `width` bits as text, lowest bit first: "1" or ".".
std::string digits(std::uint32_t bits, int width) {
  std::string text;
  for (int j = 0; j < width; ++j) text += (bits >> j & 1u) != 0 ? '1' : '.';
  return text;
}

}  // namespace

CurriculumEntry entry_of(const RepeatCopySettings&) {
  return {"repeat-copy", "repeat_copy", "write a sequence of bit vectors a given number of times"};
}

std::vector<Setting> settings_of(RepeatCopySettings& s) {
  return {
      {"repeat_copy.max_length", "maximum pattern length", &s.max_length, {1, 1000}},
      {"repeat_copy.max_repeats", "maximum number of repeats", &s.max_repeats, {1, 1000}},
      {"repeat_copy.bits", "bits per pattern vector", &s.bits, {1, 30}},
  };
}

CurriculumDescription description_of(const RepeatCopySettings& settings) {
  TaskAxis lengths{"pattern length", {}};
  TaskAxis repeats{"repeats", {}};
  for (int length = 1; length <= settings.max_length; ++length) {
    for (int count = 1; count <= settings.max_repeats; ++count) {
      lengths.values.push_back(length);
      repeats.values.push_back(count);
    }
  }
  return {.title = "the repeat-copy curriculum",
          .axes = {std::move(lengths), std::move(repeats)},
          .by_task = {},  // maps show the losses
          .solved = 0.1,
          .paper_figures = {{"performance", {2, 1.1e9}}, {"maps", {3, 4e8}}},
          .paper_settings = {{"network.cells", "512"},
                             {"network.layers", "1"},
                             {"repeat_copy.max_length", "13"},
                             {"repeat_copy.max_repeats", "13"}}};
}

std::unique_ptr<Curriculum> make_curriculum(const RepeatCopySettings& settings, const Note&) {
  return std::make_unique<RepeatCopy>(settings);
}

RepeatCopy::RepeatCopy(const RepeatCopySettings& settings) : settings_(checked(settings)) {
  // Inputs: the pattern's bits, the start marker, the count. Outputs: the bits, the end marker.
  data_.input = {.tokens = 0, .bits = settings.bits + 1, .reals = 1};
  data_.output = {OutputKind::kSigmoid, settings.bits + 1};
  for (int length = 1; length <= settings.max_length; ++length) {
    for (int repeats = 1; repeats <= settings.max_repeats; ++repeats) {
      tasks_.push_back(std::to_string(length) + "," + std::to_string(repeats));
    }
  }
}

double RepeatCopy::total_sequences() const {
  return 1e6 * static_cast<double>(tasks_.size());
}

Sequence RepeatCopy::make_sequence(int length, int repeats, Random& random) const {
  const std::size_t steps = static_cast<std::size_t>(length) * (repeats + 1) + 3;
  Sequence sequence;
  sequence.bits.assign(steps, 0);
  sequence.reals.assign(steps, 0.0f);
  sequence.scored.assign(steps, 0);
  sequence.targets.assign(steps, 0);
  const std::uint32_t marker = 1u << settings_.bits;
  sequence.bits[0] = marker;
  for (int i = 0; i < length; ++i) sequence.bits[1 + i] = random() >> (32 - settings_.bits);
  sequence.reals[length + 1] = static_cast<float>(standardised(repeats, settings_.max_repeats));
  for (std::size_t t = length + 2; t < steps; ++t) {
    sequence.scored[t] = 1;
    sequence.targets[t] = sequence.bits[1 + (t - length - 2) % length];
  }
  sequence.targets.back() = marker;
  return sequence;
}

Batch RepeatCopy::sample(int task, int count, Split, Random& random) const {
  std::vector<Sequence> sequences;
  sequences.reserve(count);
  for (int i = 0; i < count; ++i) {
    sequences.push_back(make_sequence(length_of(task), repeats_of(task), random));
  }
  return make_batch(sequences, data_);
}

std::string RepeatCopy::describe(int task, Random& random) const {
  const Sequence sequence = make_sequence(length_of(task), repeats_of(task), random);
  const int width = settings_.bits;
  std::string text = "task " + tasks_[task] + ": " + std::to_string(length_of(task)) +
                     " vectors, " + std::to_string(repeats_of(task)) + " times\n" + "step  input" +
                     std::string(width > 5 ? width - 5 : 0, ' ') +
                     "  start  count   output (end marker last)";
  for (int t = 0; t < sequence.length(); ++t) {
    char line[64];
    std::snprintf(line, sizeof line, "\n%4d  ", t);
    text += line + digits(sequence.bits[t], width) + std::string(width < 5 ? 5 - width : 0, ' ');
    std::snprintf(line, sizeof line, "  %-5s  %6.3f  ",
                  digits(sequence.bits[t] >> width, 1).c_str(), sequence.reals[t]);
    text += line;
    if (sequence.scored[t] != 0) {
      text += digits(sequence.targets[t], width) + " " + digits(sequence.targets[t] >> width, 1);
    } else {
      text += "-";
    }
  }
  return text;
}

}  // namespace gradus
