// SPDX-License-Identifier: Apache-2.0
// A saved syllabus. What is read can be used, saved and read again.

#include "gradus/core/syllabus.h"

#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "gradus/bandit/make_syllabus.h"
#include "tests/fuzz/fuzz.h"

namespace gradus::fuzz {
namespace {

void require_distribution(const Syllabus& syllabus) {
  const std::vector<double> p = syllabus.probabilities();
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  require(std::abs(sum - 1) < 1e-6, "the policy sums to 1, not " + to_text(sum));
}

void use(Syllabus& syllabus) {
  for (const double progress : {1.0, -2.0, 0.5}) {
    require_distribution(syllabus);
    const Ticket ticket = syllabus.draw();
    accepted([&] { return syllabus.reward(ticket, progress, 1); });
  }
  require_distribution(syllabus);
}

}  // namespace

GRADUS_FUZZ_TARGET(syllabus)(const std::string& bytes) {
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return;
  auto syllabus = accepted([&] { return read_syllabus(json); });
  if (!syllabus) return;
  const nlohmann::json saved = syllabus->save();
  require(read_syllabus(saved).save() == saved, "a syllabus is read as it was saved");
  use(*syllabus);
  const nlohmann::json later = syllabus->save();
  require(read_syllabus(later).save() == later, "it is still so after some rewards");
}

}  // namespace gradus::fuzz
