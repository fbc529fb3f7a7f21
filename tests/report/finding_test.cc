// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/finding.h"

#include <gtest/gtest.h>

#include "gradus/report/groups.h"
#include "tests/report/made_up.h"

namespace gradus::report {
namespace {

// Runs of one arm that reach a loss of 0.1 after these steps; those with 0 never do.
void add_arm(const std::string& gain, const std::vector<std::int64_t>& steps,
             std::vector<RunRecord>& runs) {
  int seed = 0;
  for (const std::int64_t at : steps) {
    runs.push_back(at > 0 ? made_up_run(gain, ++seed, {{0, 6}, {at, 0.1}, {8'000'000, 0}})
                          : made_up_run(gain, ++seed, {{0, 6}, {8'000'000, 4}}));
  }
}

std::string finding_of(const std::vector<RunRecord>& runs) {
  const std::vector<Group> groups = group_runs(runs).groups;
  const Goal goal = choose_goal(groups, "uniform", "", std::nullopt);
  return finding(groups, compare(groups, "uniform", goal), goal);
}

// Log steps: uniform 4, 5, 6.25 million, a factor of 1.25 apart; pg half of each. The standard
// error of the difference is ln 1.25 sqrt(2 / 3) = 0.182 on 4 degrees of freedom, t = 2.776: 2 /
// e^0.506 to 2 e^0.506.
TEST(Finding, SaysHowMuchFasterAnArmIsAndWhichArmsFail) {
  std::vector<RunRecord> runs;
  add_arm("uniform", {4'000'000, 5'000'000, 6'250'000}, runs);
  add_arm("pg", {2'000'000, 2'500'000, 3'125'000}, runs);
  add_arm("target", {0, 0}, runs);
  EXPECT_EQ(finding_of(runs),
            "To a target loss of 0.1, pg is 2 times as fast as uniform (95%: 1.21 to 3.32; 3 seeds "
            "each); target does not reach it in 2 runs of 8 million steps.");
}

// For mpg: log steps ln 4 against ln 7.17, with deviations 0.223 and 0.112, so a standard error of
// 0.144 on 2.9 degrees of freedom, t = 3.2. The interval is 0.35 to 0.89.
TEST(Finding, NamesManyArmsByTheirOutcome) {
  std::vector<RunRecord> runs;
  add_arm("uniform", {3'200'000, 4'000'000, 5'000'000}, runs);
  add_arm("pg", {1'600'000, 2'000'000, 2'500'000}, runs);
  add_arm("gpg", {800'000, 1'000'000, 1'250'000}, runs);
  add_arm("spg", {3'200'000, 4'000'000, 5'000'000}, runs);
  add_arm("mpg", {6'400'000, 7'200'000, 7'999'000}, runs);
  add_arm("tpg", {5'000'000, 5'000'000}, runs);
  add_arm("target", {0, 0}, runs);
  EXPECT_EQ(finding_of(runs),
            "To a target loss of 0.1, faster than the baseline: gpg (4 times), pg (2 times); not "
            "distinguishable from it: spg (1 times); slower: mpg (0.558 times); too few runs to "
            "tell: tpg; never there: target. The table has the intervals.");
}

TEST(Finding, SaysThatNothingIsDecided) {
  std::vector<RunRecord> runs;
  add_arm("uniform", {4'000'000, 5'000'000, 6'250'000}, runs);
  EXPECT_EQ(finding_of(runs), "Nothing can be concluded yet: there is nothing to compare with.");
  add_arm("pg", {4'000'000, 5'000'000, 6'250'000, 5'000'000}, runs);
  const std::string equal = finding_of(runs);
  EXPECT_TRUE(
      equal.starts_with("Nothing can be concluded yet. To a target loss of 0.1, pg is not "
                        "distinguishable from uniform (95%: 0."))
      << equal;
  EXPECT_TRUE(equal.ends_with("; 4 and 3 seeds).")) << equal;

  runs.clear();
  add_arm("uniform", {4'000'000, 5'000'000}, runs);
  add_arm("pg", {2'000'000, 2'500'000}, runs);
  EXPECT_EQ(finding_of(runs),
            "Nothing can be concluded yet. To a target loss of 0.1, pg: too few seeds.");
}

TEST(Finding, NamesASlowerArmAfterAFasterOne) {
  std::vector<RunRecord> runs;
  add_arm("uniform", {4'000'000, 4'100'000, 4'200'000}, runs);
  add_arm("gpg", {7'000'000, 7'100'000, 7'200'000}, runs);
  add_arm("spg", {2'000'000, 2'100'000, 2'200'000}, runs);
  const std::string text = finding_of(runs);
  EXPECT_LT(text.find("spg is 1.95 times"), text.find("gpg is 0.577 times")) << text;
}

}  // namespace
}  // namespace gradus::report
