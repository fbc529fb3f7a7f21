// SPDX-License-Identifier: Apache-2.0
// Several gains as one, for a policy that chooses among signals: policy corral has a base policy
// for each. What they need is measured once per step.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/text.h"
#include "gradus/gains/gains.h"

namespace gradus {
namespace {

using nlohmann::json;

Needs united(const Needs& a, const Needs& b) {
  const bool one_probe = a.probe == Probe::kNone || b.probe == Probe::kNone || a.probe == b.probe;
  if (!one_probe) throw InputError("they probe different data, expected the same for all");
  Needs both;
  both.probe = a.probe == Probe::kNone ? b.probe : a.probe;
  both.probe_divisor = std::min(a.probe == Probe::kNone ? b.probe_divisor : a.probe_divisor,
                                b.probe == Probe::kNone ? a.probe_divisor : b.probe_divisor);
  for (const NeedsField& field : kNeedsFields) {
    both.*field.value = a.*field.value || b.*field.value;
  }
  return both;
}

class Signals final : public Gain {
 public:
  Signals(std::string name, std::vector<std::unique_ptr<Gain>> gains)
      : name_(std::move(name)), gains_(std::move(gains)) {
    for (const auto& gain : gains_) needs_ = united(needs_, gain->needs());
  }

  std::string_view name() const override { return name_; }
  Needs needs() const override { return needs_; }
  int signals() const override { return static_cast<int>(gains_.size()); }
  double progress(const std::string& task, const Measurements& measured) override {
    return progress_by_signal(task, measured).front();
  }
  std::vector<double> progress_by_signal(const std::string& task,
                                         const Measurements& measured) override {
    std::vector<double> progress;
    for (const auto& gain : gains_) progress.push_back(gain->progress(task, measured));
    return progress;
  }
  void forget(const std::string& task) override {
    for (const auto& gain : gains_) gain->forget(task);
  }

 private:
  json memory() const override {
    json memories = json::array();
    for (const auto& gain : gains_) memories.push_back(gain->save());
    return memories;
  }
  void set_memory(const json& memory) override {
    if (!memory.is_array() || memory.size() != gains_.size()) {
      throw InputError("saved gain " + name_ + " has no list of " + std::to_string(gains_.size()) +
                       " memories");
    }
    const json before = this->memory();
    try {
      for (std::size_t i = 0; i < gains_.size(); ++i) gains_[i]->restore(memory[i]);
    } catch (...) {
      for (std::size_t i = 0; i < gains_.size(); ++i) gains_[i]->restore(before[i]);
      throw;
    }
  }

  std::string name_;
  std::vector<std::unique_ptr<Gain>> gains_;
  Needs needs_;
};

}  // namespace

std::vector<std::string> signals_of(const std::string& gain) {
  return split(gain, ':');
}

std::unique_ptr<Gain> make_signals(const std::string& name,
                                   std::vector<std::unique_ptr<Gain>> gains) try {
  return std::make_unique<Signals>(name, std::move(gains));
} catch (const InputError& error) {
  throw InputError("gain " + name +
                   " has signals that cannot be measured together: " + error.what());
}

}  // namespace gradus
