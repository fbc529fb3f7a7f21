// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/trained_run.h"

#include <algorithm>
#include <numeric>

#include "gradus/core/error.h"
#include "gradus/runs/run_folder.h"
#include "gradus/runs/run_reader.h"
#include "gradus/runs/runner.h"

namespace gradus {
namespace {

constexpr std::size_t kBatch = 64;

// Streams from this index on are beyond those of a run's own evaluations.
constexpr std::uint64_t kFirstIndex = std::uint64_t{1} << 48;

}  // namespace

TrainedRun::TrainedRun(const std::filesystem::path& folder, const std::string& which, int threads,
                       const Note& note)
    : settings_(stored_settings(folder)),
      record_(read_latest(folder)),
      found_(Checkpoints(checkpoints_folder(folder)).load_network(which, note)),
      network_(found_.network.data, found_.network.tensors, threads) {}

std::unique_ptr<DataReader> TrainedRun::make_reader() const {
  if (found_.network.data.input.tokens > 0 && found_.network.vocabulary.empty()) {
    throw InputError(record_.folder.string() + ": no vocabulary is stored with the network");
  }
  return gradus::make_reader(settings_.curriculum, settings_.curricula, found_.network.vocabulary);
}

Evaluation TrainedRun::evaluate(const std::vector<Sequence>& sequences) {
  Evaluation total;
  for (std::size_t first = 0; first < sequences.size(); first += kBatch) {
    const std::size_t count = std::min(kBatch, sequences.size() - first);
    total += network_.evaluate(
        make_batch(std::span(sequences).subspan(first, count), network_.spec().data));
  }
  return total;
}

Evaluation TrainedRun::evaluate(const Curriculum& curriculum, int task, std::int64_t sequences) {
  return evaluate_held_out(curriculum, task, sequences, static_cast<std::uint64_t>(settings_.seed),
                           kFirstIndex,
                           [this](const Batch& batch) { return network_.evaluate(batch); });
}

std::vector<std::vector<int>> TrainedRun::answer(const std::vector<Questions>& questions) {
  std::vector<std::vector<int>> answers(questions.size());
  // Sequences of similar length share a batch.
  std::vector<std::size_t> order(questions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t i) { return questions[i].sequence.length(); });
  const auto width = static_cast<std::size_t>(network_.spec().data.output.width);
  for (std::size_t first = 0; first < order.size(); first += kBatch) {
    const auto part = std::span(order).subspan(first, std::min(kBatch, order.size() - first));
    std::vector<Sequence> sequences;
    for (const std::size_t i : part) sequences.push_back(questions[i].sequence);
    const Batch batch = make_batch(sequences, network_.spec().data);
    network_.start(batch.sequences);
    for (int t = 0; t < batch.steps; ++t) {
      const std::span<const float> logits = network_.step(batch, t);
      for (std::size_t b = 0; b * width < logits.size(); ++b) {
        if (sequences[b].scored[t] == 0) continue;
        answers[part[b]].push_back(most_likely(logits.subspan(b * width, width)));
      }
    }
  }
  return answers;
}

}  // namespace gradus
