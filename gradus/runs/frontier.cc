// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/frontier.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"

namespace gradus {
namespace {

constexpr double kFrontier = 0.6;
constexpr double kReview = 0.2;

// Whether `a` is one less than `b` along one axis and equal along the others.
bool is_easier_neighbour(const std::vector<TaskAxis>& axes, std::size_t a, std::size_t b) {
  int distance = 0;
  for (const TaskAxis& axis : axes) {
    const int difference = axis.values[b] - axis.values[a];
    if (difference < 0) return false;
    distance += difference;
  }
  return distance == 1;
}

}  // namespace

bool Frontier::fits(const CurriculumDescription& curriculum) {
  return !curriculum.axes.empty() && curriculum.solved;
}

Frontier::Frontier(const Curriculum& curriculum, Syllabus& syllabus)
    : syllabus_(syllabus), solved_(curriculum.tasks().size(), false) {
  const CurriculumDescription description = curriculum.description();
  if (!fits(description)) {
    throw InputError(
        "gain \"frontier\" goes from easy to hard tasks as they are solved, but "
        "curriculum " +
        std::string(curriculum.name()) + " does not say which are easy and when one is solved");
  }
  solved_loss_ = *description.solved;
  easier_.resize(solved_.size());
  for (std::size_t a = 0; a < solved_.size(); ++a) {
    for (std::size_t b = 0; b < solved_.size(); ++b) {
      if (is_easier_neighbour(description.axes, a, b)) easier_[b].push_back(static_cast<int>(a));
    }
  }
  apply();
}

void Frontier::see(int task, double loss) {
  const bool solved = loss <= solved_loss_;
  if (solved == solved_[task]) return;
  solved_[task] = solved;
  apply();
}

bool Frontier::on_frontier(int task) const {
  return !solved_[task] &&
         std::ranges::all_of(easier_[task], [&](int easier) { return solved_[easier]; });
}

std::vector<double> Frontier::probabilities() const {
  const auto tasks = static_cast<int>(solved_.size());
  int frontier = 0;
  for (int i = 0; i < tasks; ++i) frontier += on_frontier(i) ? 1 : 0;
  if (frontier == 0) return std::vector<double>(tasks, 1.0 / tasks);
  const auto reviewed = std::ranges::count(solved_, true);
  const double advance = reviewed > 0 ? kFrontier : kFrontier + kReview;
  std::vector<double> p(tasks, (1 - kFrontier - kReview) / tasks);
  for (int i = 0; i < tasks; ++i) {
    if (on_frontier(i)) p[i] += advance / frontier;
    if (solved_[i]) p[i] += kReview / static_cast<double>(reviewed);
  }
  return p;
}

void Frontier::apply() {
  const std::vector<double> p = probabilities();
  const auto tasks = static_cast<int>(p.size());
  // Lower floors first, so that they never sum to more than 1.
  for (int i = 0; i < tasks; ++i) {
    if (p[i] < syllabus_.limit(i).floor) syllabus_.set_limit(i, {.floor = p[i]});
  }
  for (int i = 0; i < tasks; ++i) {
    if (p[i] > syllabus_.limit(i).floor) syllabus_.set_limit(i, {.floor = p[i]});
  }
}

nlohmann::json Frontier::save() const {
  return {{"solved", std::vector<int>(solved_.begin(), solved_.end())}};
}

void Frontier::restore(const nlohmann::json& saved) {
  const std::vector<std::uint64_t> flags = read_counts(saved, "solved", solved_.size());
  for (std::size_t i = 0; i < flags.size(); ++i) solved_[i] = flags[i] != 0;
  apply();
}

}  // namespace gradus
