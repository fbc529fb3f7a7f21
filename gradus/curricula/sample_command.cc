// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/sample_command.h"

namespace gradus {

SampleCommand sample_sequences(std::function<std::unique_ptr<Curriculum>()> make) {
  struct Options {
    std::string task;
    std::int64_t count = 1;
  };
  const auto options = std::make_shared<Options>();
  return {
      {{"task", "name of the task; default: the target, or else the first task", &options->task},
       {"count", "number of sequences to print", &options->count, {1, 1e12}}},
      [options, make = std::move(make)](std::uint64_t seed, std::ostream& out) {
        const std::unique_ptr<Curriculum> curriculum = make();
        const int task = options->task.empty() ? curriculum->target().value_or(0)
                                               : curriculum->find_task(options->task);
        curriculum->write_samples(task, options->count, seed, out);
      }};
}

}  // namespace gradus
