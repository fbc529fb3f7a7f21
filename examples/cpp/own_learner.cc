// SPDX-License-Identifier: Apache-2.0
// Algorithm 1 of the paper with a Learner and a Curriculum of one's own:
//   own_learner [GAIN]
// Prints the loss of each task on held-out data and the share of the batches that it got.

#include <cstdio>
#include <string>
#include <vector>

#include "bigram_learner.h"
#include "gradus/gradus.h"

namespace {

constexpr int kTokens = 12;
constexpr int kSteps = 20;
constexpr int kBatch = 16;
constexpr int kRounds = 500;

// Each task has four tokens of its own. In the first two tasks the token determines the next one,
// so that the best loss is 0. In the third all tokens are equally likely to be next: an untrained
// model already has the best loss, ln 12 = 2.485 nats.
class Orders : public gradus::Curriculum {
 public:
  std::string_view name() const override { return "orders"; }
  const std::vector<std::string>& tasks() const override { return tasks_; }
  std::optional<int> target() const override { return std::nullopt; }
  const gradus::DataSpec& data() const override { return data_; }
  double total_sequences() const override { return 1e6; }

  // Splits differ by the random streams alone.
  gradus::Batch sample(int task, int count, gradus::Split, gradus::Random& random) const override {
    std::vector<gradus::Sequence> sequences;
    for (int i = 0; i < count; ++i) sequences.push_back(make_sequence(task, random));
    return gradus::make_batch(sequences, data_);
  }

  std::string describe(int task, gradus::Random& random) const override {
    std::string text;
    for (const int token : make_sequence(task, random).tokens)
      text += static_cast<char>('a' + token);
    return text;
  }

 private:
  static int next(int task, int place, gradus::Random& random) {
    if (task == 2) return static_cast<int>(random.below(kTokens));
    return 4 * task + (place + (task == 0 ? 1 : 3)) % 4;
  }

  static gradus::Sequence make_sequence(int task, gradus::Random& random) {
    gradus::Sequence sequence;
    for (int t = 0; t < kSteps; ++t) {
      const int place = static_cast<int>(random.below(4));
      sequence.tokens.push_back(4 * task + place);
      sequence.targets.push_back(static_cast<std::uint32_t>(next(task, place, random)));
      sequence.scored.push_back(1);
    }
    return sequence;
  }

  std::vector<std::string> tasks_ = {"forwards", "backwards", "random"};
  gradus::DataSpec data_ = {{.tokens = kTokens}, {gradus::OutputKind::kSoftmax, kTokens}};
};

void print_results(const Orders& orders, BigramLearner& learner, const std::vector<int>& lessons) {
  gradus::BatchSource held_out(orders, gradus::Purpose::kHeldOutBatch, gradus::Split::kHeldOut, 100,
                               /*seed=*/1);
  for (int task = 0; task < 3; ++task) {
    const gradus::Evaluation evaluation = learner.evaluate(held_out.next(task));
    std::printf("%s: loss %.3f, %.0f%% of the batches\n", orders.tasks()[task].c_str(),
                evaluation.loss_per_output(), 100.0 * lessons[task] / kRounds);
  }
}

void run(const std::string& gain_name) {
  const Orders orders;
  BigramLearner learner(kTokens, /*learning_rate=*/0.01);
  gradus::Syllabus syllabus = gradus::make_syllabus(orders.tasks(), {.rounds = kRounds});
  const auto gain = gradus::make_gain(gain_name);
  gradus::Teacher teacher(syllabus, orders, learner, gain.get(), kBatch, /*seed=*/1);
  std::vector<int> lessons(orders.tasks().size());
  for (int round = 0; round < kRounds; ++round) ++lessons[teacher.teach().task];
  print_results(orders, learner, lessons);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : "spg");
  } catch (const gradus::InputError& error) {
    std::fprintf(stderr, "own_learner: %s\n", error.what());
    return 2;
  }
}
