// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "tests/report/made_up.h"

namespace gradus::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> names(const std::vector<RunRecord>& runs) {
  std::vector<std::string> list;
  for (const Group& group : group_runs(runs).groups) list.push_back(group.name);
  return list;
}

std::string complaint(const std::vector<RunRecord>& runs) {
  try {
    group_runs(runs);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Groups, AreBySignalInThePapersOrderWithRunsBySeed) {
  const std::vector<RunRecord> runs = {made_up_run("gvcg", 1, {}), made_up_run("pg", 10, {}),
                                       made_up_run("pg", 9, {}), made_up_run("uniform", 1, {})};
  EXPECT_THAT(names(runs), ElementsAre("uniform", "pg", "gvcg"));
  const Grouping grouping = group_runs(runs);
  EXPECT_EQ(grouping.groups[1].runs[0], &runs[2]);
  EXPECT_EQ(grouping.groups[1].runs[1], &runs[1]);
}

TEST(Groups, SayWhatElseDiffers) {
  EXPECT_THAT(names({made_up_run("pg", 1, {}), made_up_run("pg", 1, {}, {{"objective", "vi"}})}),
              ElementsAre("pg, ml", "pg, vi"));
  EXPECT_THAT(names({made_up_run("pg", 1, {}, {{"syllabus.eta", "0.1"}}),
                     made_up_run("pg", 1, {}, {{"syllabus.eta", "0.01"}})}),
              ElementsAre("pg, eta=0.01", "pg, eta=0.1"));
  EXPECT_THAT(
      names({made_up_run("pg", 1, {}, {{"l2.decay", "1"}, {"optimiser.decay", "1"}}),
             made_up_run("pg", 1, {}, {{"l2.decay", "2"}, {"optimiser.decay", "2"}})}),
      ElementsAre("pg, l2.decay=1, optimiser.decay=1", "pg, l2.decay=2, optimiser.decay=2"));
}

TEST(Groups, TellTheSignWhereItIsRead) {
  EXPECT_THAT(names({made_up_run("gvcg", 1, {}, {{"sign", "derived"}}),
                     made_up_run("gvcg", 1, {}, {{"sign", "printed"}}),
                     made_up_run("pg", 1, {}, {{"sign", "printed"}}),
                     made_up_run("pg", 2, {}, {{"sign", "derived"}})}),
              ElementsAre("pg", "gvcg, derived sign", "gvcg, printed sign"));
}

TEST(Groups, TellTheSettingsOfEachOfSeveralSignals) {
  const std::vector<RunRecord> runs = {made_up_run("hsg:pg", 1, {}, {{"slope.window", "10"}}),
                                       made_up_run("hsg:pg", 1, {}, {{"slope.window", "20"}}),
                                       made_up_run("lrn:pg", 1, {}, {{"slope.window", "20"}})};
  EXPECT_THAT(names(runs), ElementsAre("hsg:pg, window=10", "hsg:pg, window=20", "lrn:pg"));
  EXPECT_THAT(group_runs(runs).notes, IsEmpty());
}

TEST(Groups, AverageOverLengthAndEvaluation) {
  EXPECT_THAT(names({made_up_run("pg", 1, {}, {{"steps", "5"}, {"evaluation.interval", "1"}}),
                     made_up_run("pg", 2, {}, {{"steps", "9"}, {"evaluation.interval", "2"}})}),
              ElementsAre("pg"));
}

// When a run ends does not change what it has learned by then. Older records have no stop.share.
TEST(Groups, AverageOverRulesThatEndARun) {
  const std::vector<RunRecord> runs = {
      made_up_run("uniform", 1, {}, {{"stop.target_loss", "0"}}),
      made_up_run("pg", 1, {}, {{"stop.target_loss", "0.01"}, {"stop.after", "5"}}),
      made_up_run("pg", 2, {}, {{"stop.target_loss", "0.02"}, {"stop.share", "1.0"}}),
      made_up_run("pg", 3, {}, {{"stop.after", "9"}, {"stop.share", "0.5"}})};
  EXPECT_THAT(names(runs), ElementsAre("uniform", "pg"));
  const std::vector<Group> groups = group_runs(runs).groups;
  EXPECT_THAT(groups[1].runs, SizeIs(3));
  EXPECT_THAT(baselines_for(groups[1], groups, "uniform"), ElementsAre(&groups[0]));
}

// Uniform sampling uses no setting of the syllabus, so these two runs count as the same run.
TEST(Groups, OfABaselineIgnoreTheSyllabusAndKeepTheLongestRunOfASeed) {
  std::vector<RunRecord> runs = {
      made_up_run("uniform", 1, {{0, 5}}, {{"syllabus.eta", "0.1"}}),
      made_up_run("uniform", 1, {{0, 5}, {10, 4}}, {{"syllabus.eta", "0.01"}}),
      made_up_run("pg", 1, {}, {{"syllabus.eta", "0.1"}}),
      made_up_run("pg", 1, {}, {{"syllabus.eta", "0.01"}})};
  runs[0].folder = "runs/short";
  EXPECT_THAT(names(runs), ElementsAre("uniform", "pg, eta=0.01", "pg, eta=0.1"));
  const Grouping grouping = group_runs(runs);
  EXPECT_THAT(grouping.groups[0].runs, ElementsAre(&runs[1]));
  EXPECT_THAT(grouping.notes, ElementsAre(HasSubstr("runs/short is left out: runs/uniform-1")));
  EXPECT_THAT(baselines_for(grouping.groups[2], grouping.groups, "uniform"),
              ElementsAre(&grouping.groups[0]));
}

TEST(Groups, AreComparedWithUniformSamplingOfTheSameTraining) {
  const std::vector<RunRecord> runs = {made_up_run("uniform", 1, {}),
                                       made_up_run("uniform", 1, {}, {{"objective", "vi"}}),
                                       made_up_run("pg", 1, {}, {{"objective", "vi"}}),
                                       made_up_run("l2g", 1, {}, {{"objective", "l2"}})};
  const std::vector<Group> groups = group_runs(runs).groups;
  EXPECT_THAT(baselines_for(groups[2], groups, "uniform"), ElementsAre(&groups[1]));
  EXPECT_THAT(baselines_for(groups[3], groups, "uniform"), IsEmpty());
}

TEST(Groups, AreComparedWithAnyGainThatIsTrainedLikeThem) {
  const std::map<std::string, std::string> low = {{"syllabus.eta", "0.01"}};
  const std::map<std::string, std::string> high = {{"syllabus.eta", "0.1"}};
  const std::vector<RunRecord> runs = {made_up_run("uniform", 1, {}), made_up_run("pg", 1, {}, low),
                                       made_up_run("pg", 1, {}, high),
                                       made_up_run("spg", 1, {}, high)};
  const std::vector<Group> groups = group_runs(runs).groups;  // uniform, pg low, pg high, spg high
  EXPECT_THAT(baselines_for(groups[3], groups, "pg"), ElementsAre(&groups[2]));
  EXPECT_THAT(baselines_for(groups[1], groups, "pg"), ElementsAre(&groups[1]));
  // Uniform sampling does not depend on eta, so both groups are valid baselines.
  EXPECT_THAT(baselines_for(groups[0], groups, "pg"), ElementsAre(&groups[1], &groups[2]));
  for (const Group& group : groups) {
    EXPECT_THAT(baselines_for(group, groups, "pg, eta=0.01"), ElementsAre(&groups[1]));
  }
}

TEST(Groups, RefuseToMixCurriculaOrTasks) {
  EXPECT_EQ(
      complaint({made_up_run("pg", 1, {}), made_up_run("mpg", 1, {}, {{"curriculum", "babi"}})}),
      "runs/mpg-1 has the curriculum babi, but runs/pg-1 has repeat-copy; all runs of a report "
      "must have the same curriculum");
  std::vector<RunRecord> runs = {made_up_run("pg", 1, {}), made_up_run("pg", 2, {})};
  runs[1].tasks.pop_back();
  EXPECT_EQ(complaint(runs),
            "runs/pg-2 and runs/pg-1 have different tasks; all runs of a report must have the same "
            "tasks");
}

TEST(Groups, RefuseSettingsThatAreNotNumbers) {
  const RunRecord odd = made_up_run("pg", 2, {}, {{"seed", "first"}, {"steps", "many"}});
  EXPECT_THAT(complaint({made_up_run("pg", 1, {}), odd}),
              HasSubstr("runs/pg-2: seed is \"first\", expected a whole number"));
  EXPECT_THROW(number_setting(odd, "steps", 0), InputError);
  EXPECT_EQ(number_setting(odd, "stop.after", 7), 7);
}

}  // namespace
}  // namespace gradus::report
