// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gradus/core/batch.h"
#include "gradus/core/random.h"

namespace gradus {

/// Training never sees held-out data. Curricula that generate data keep the two splits apart by
/// their random streams; those that read data also draw from disjoint parts of it.
enum class Split { kTraining, kHeldOut };

/// A number that every task has, such as the order of its n-gram model.
struct TaskAxis {
  std::string name;         ///< "n-gram order"
  std::vector<int> values;  ///< of each task
};

/// A figure of the paper.
struct PaperFigure {
  int number = 0;
  double steps = 0;  ///< the input steps that it covers
};

/// How a report shows a curriculum. It is stored with every run.
struct CurriculumDescription {
  std::string title = "a curriculum";  ///< as part of a sentence
  std::string noun = "task";           ///< what figures call a task
  /// From easy to hard: none if tasks only have names, one if they form a line, two if they form a
  /// grid, which figures draw as maps.
  std::vector<TaskAxis> axes = {};
  /// What figures show for each task besides the policy: "error", "loss".
  std::vector<std::string> by_task = {"error", "loss"};
  /// The metric that runs are compared by (runs/metrics.h). Empty: the target's loss, or the mean
  /// loss if there is no target.
  std::string measure = "";
  /// The value of that metric that counts as solved; a loss is in nats per output.
  std::optional<double> solved = {};
  /// False if no network can do all tasks at once. An arena then compares how well they are done
  /// over time instead of when they are learned.
  bool is_solvable = true;
  /// The paper's figures of this curriculum: "performance", "policy", "maps" or "tasks". A report's
  /// figure is the paper's if its runs have these settings, which are the paper's.
  std::map<std::string, PaperFigure> paper_figures = {};
  std::map<std::string, std::string> paper_settings = {};
};
nlohmann::json to_json(const CurriculumDescription& description);
/// Throws InputError if `json` is not the result of to_json().
CurriculumDescription read_description(const nlohmann::json& json);

/// A file, or another source, that a curriculum reads its data from.
struct DataSource {
  std::string name;    ///< without its folder: a run may move with its data
  std::string sha256;  ///< of its bytes
  bool operator==(const DataSource&) const = default;
};

/// A curriculum that users can choose by name.
struct CurriculumEntry {
  std::string name;
  std::string table;  ///< prefix of its settings, such as "repeat_copy"
  std::string summary;
  std::vector<std::string> defaults = {};  ///< key=value; they replace the program's defaults
  std::string reads = "";    ///< the format of files that its networks read; empty if there is none
  std::string answers = "";  ///< the format of questions that they answer; may have several lines
  std::string variants = "";  ///< the setting by which its variants differ; empty if it has none
};

/// Called with a one-line warning for the user.
using Note = std::function<void(const std::string&)>;

/// A set of tasks D_1, ..., D_N (paper, section 2). Immutable, so any number of threads may call
/// sample() at once.
class Curriculum {
 public:
  virtual ~Curriculum() = default;

  virtual std::string_view name() const = 0;
  /// Unique names of the tasks. A task's index is its position in this list.
  virtual const std::vector<std::string>& tasks() const = 0;
  /// The target task, if there is one.
  virtual std::optional<int> target() const = 0;
  virtual const DataSpec& data() const = 0;
  /// The text of every token, if inputs and outputs are tokens of one vocabulary; otherwise empty.
  virtual std::vector<std::string> vocabulary() const { return {}; }
  /// What the data were read from, in order. Empty if all data are generated.
  virtual std::vector<DataSource> sources() const { return {}; }
  /// What one output of a task stands for if the task is to predict text: "character" or "word".
  /// Empty if the outputs form answers, which are right or wrong.
  virtual std::string_view unit(int /*task*/) const { return ""; }
  /// The smallest mean loss per output that any network can reach on a task, in nats, if known.
  virtual std::optional<double> floor(int /*task*/) const { return {}; }
  /// S of the variational objective: the number of sequences in the whole curriculum, or a nominal
  /// number if the tasks generate sequences without end.
  virtual double total_sequences() const = 0;

  /// Draws `count` sequences of one task. A pure function of its arguments and the state of
  /// `random`. REQUIRES 0 <= task < tasks().size() and count > 0.
  virtual Batch sample(int task, int count, Split split, Random& random) const = 0;

  /// Samples one sequence and returns it as readable text, without a final newline.
  virtual std::string describe(int task, Random& random) const = 0;

  /// Writes `count` samples of describe(). Sample i is a pure function of (seed, task, i).
  void write_samples(int task, std::int64_t count, std::uint64_t seed, std::ostream& out) const;
  /// What write_samples() writes between two samples.
  virtual std::string_view separator() const { return "\n\n"; }

  /// The task that a user calls `name`. Throws an InputError that suggests the nearest name if
  /// there is none.
  virtual int find_task(const std::string& name) const;

  virtual CurriculumDescription description() const { return {}; }
};

}  // namespace gradus
