// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/arena.h"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/refusal.h"
#include "tests/report/made_up.h"

namespace gradus::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using Json = nlohmann::ordered_json;

// Three seeds that reach the target loss of 0.1 after steps * 0.9, steps, and steps / 0.9, so that
// the geometric mean is `steps`.
void add_arm(std::vector<RunRecord>& runs, const std::string& curriculum, const std::string& gain,
             double steps, double seconds, const std::string& policy = "exp3s") {
  for (int seed = 1; seed <= 3; ++seed) {
    const auto end = static_cast<std::int64_t>(steps * std::pow(0.9, seed - 2));
    runs.push_back(made_up_run(gain, seed, {{0, 6}, {end, 0.1}},
                               {{"curriculum", "stress"},
                                {"stress.scenario", curriculum},
                                {"policy", policy},
                                {"syllabus.epsilon", "0.05"}}));
    runs.back().description.solved = 0.1;
    runs.back().timing = {{end, seconds * static_cast<double>(end), 0}};
  }
}

Arena two_columns() {
  std::vector<RunRecord> runs;
  add_arm(runs, "needle", "uniform", 1e6, 1e-6);
  add_arm(runs, "needle", "pg", 0.5e6, 1.2e-6);
  add_arm(runs, "needle", "spg", 1e6, 1.5e-6, "boltzmann");
  add_arm(runs, "lengths", "uniform", 2e6, 1e-6);
  add_arm(runs, "lengths", "pg", 4e6, 1.2e-6);
  add_arm(runs, "lengths", "spg", 2e6, 1.5e-6, "boltzmann");
  return make_arena(std::move(runs), "gradus arena");
}

TEST(Arena, ComparesEveryArmWithUniformSamplingInEveryColumn) {
  const Arena arena = two_columns();
  EXPECT_THAT(arena.columns, ElementsAre("lengths", "needle"));
  ASSERT_EQ(arena.rows.size(), 2u);
  const ArenaRow& spg = arena.rows[0];  // the best worst case first
  const ArenaRow& pg = arena.rows[1];
  EXPECT_EQ(pg.arm, "pg+exp3s");
  EXPECT_NEAR(*pg.cells[1]->speed_up->ratio, 2, 1e-5);
  EXPECT_NEAR(*pg.cells[0]->speed_up->ratio, 0.5, 1e-5);
  EXPECT_EQ(verdict_of(*pg.cells[1]->speed_up), Verdict::kFaster);
  EXPECT_EQ(verdict_of(*pg.cells[0]->speed_up), Verdict::kSlower);
  EXPECT_EQ(pg.worst, 0u);
  EXPECT_FALSE(pg.is_safe());
  EXPECT_EQ(spg.arm, "spg+boltzmann");
  EXPECT_EQ(verdict_of(*spg.cells[0]->speed_up), Verdict::kOpen);
  EXPECT_TRUE(spg.is_safe());
  EXPECT_EQ(arena.finding, "Not slower than uniform sampling in any of 2 columns: spg+boltzmann.");
}

// In the second half, uniform sampling has a mean loss of 1.5 and the arm one of 3, whatever they
// had before; each seed is 0.9 times the one before it.
TEST(Arena, ComparesLossesIfTheTasksCannotAllBeSolved) {
  std::vector<RunRecord> runs;
  for (const auto& [gain, loss] : {std::pair("uniform", 1.5), std::pair("pg", 3.0)}) {
    for (int seed = 1; seed <= 3; ++seed) {
      const double of_seed = loss * std::pow(0.9, seed - 2);
      runs.push_back(made_up_run(
          gain, seed,
          {{0, 6}, {400, 0.1}, {500, 0.8 * of_seed}, {750, of_seed}, {1000, 1.2 * of_seed}},
          {{"curriculum", "stress"}, {"stress.scenario", "contradiction"}, {"policy", "exp3s"}}));
      runs.back().description.is_solvable = false;
    }
  }
  const Arena arena = make_arena(std::move(runs), "");
  ASSERT_EQ(arena.rows.size(), 1u);
  const Comparison& cell = *arena.rows[0].cells[0];
  EXPECT_NEAR(*cell.speed_up->ratio, 0.5, 1e-9);
  EXPECT_EQ(verdict_of(*cell.speed_up), Verdict::kSlower);
  EXPECT_FALSE(arena.rows[0].is_safe());
  EXPECT_EQ(document_of(arena)["columns"][0]["goal"]["origin"],
            "mean over the second half of the run");
}

// pg measures the loss on the batch again; spg measures the loss on a second batch twice.
TEST(Arena, TellsTheCostOfMeasuring) {
  const Arena arena = two_columns();
  EXPECT_EQ(arena.rows[0].passes, 2);
  EXPECT_EQ(arena.rows[1].passes, 1);
  EXPECT_NEAR(arena.rows[0].relative_time, 1.5, 1e-9);
  EXPECT_NEAR(arena.rows[1].relative_time, 1.2, 1e-9);
}

// hsg measures the loss on a held-out batch once; gspg also differentiates it. lsg needs nothing.
TEST(Arena, CountsOnlyThePassesThatASignalNeeds) {
  std::map<std::string, double> passes;
  for (const std::string gain : {"lsg", "hsg", "hpg", "gspg", "uniform"}) {
    std::vector<RunRecord> runs;
    add_arm(runs, "needle", gain, 1e6, 1e-6);
    for (const ArenaRow& row : make_arena(std::move(runs), "").rows) passes[gain] = row.passes;
  }
  EXPECT_THAT(passes,
              ElementsAre(Pair("gspg", 3), Pair("hpg", 2), Pair("hsg", 0.25), Pair("lsg", 0)));
}

TEST(Arena, AnArmThatIsMissingInAColumnIsNotSafe) {
  std::vector<RunRecord> runs;
  add_arm(runs, "needle", "uniform", 1e6, 1e-6);
  add_arm(runs, "needle", "pg", 0.5e6, 1e-6);
  add_arm(runs, "lengths", "uniform", 1e6, 1e-6);
  const Arena arena = make_arena(std::move(runs), "");
  EXPECT_EQ(arena.rows[0].cells[0], nullptr);
  EXPECT_FALSE(arena.rows[0].is_safe());
  EXPECT_EQ(arena.finding, "Nothing can be concluded yet: no arm has a speed-up in every column.");
}

TEST(Arena, TheBestWorstCaseIsThatOfAnArmWithAllColumns) {
  std::vector<RunRecord> runs;
  for (const char* column : {"needle", "lengths"}) {
    add_arm(runs, column, "uniform", 1e6, 1e-6);
    add_arm(runs, column, "pg", 2e6, 1e-6);
  }
  add_arm(runs, "needle", "spg", 0.5e6, 1e-6);
  EXPECT_THAT(make_arena(std::move(runs), "").finding,
              HasSubstr("the best worst case is pg+exp3s, 0.5 on lengths"));
}

Verdict verdict_of_bound(double ratio, Bound bound) {
  SpeedUp speed_up;
  speed_up.ratio = ratio;
  speed_up.bound = bound;
  return verdict_of(speed_up);
}

TEST(Arena, ABoundDecidesIfItIsOnOneSideOfOne) {
  EXPECT_EQ(verdict_of_bound(0.8, Bound::kAtMost), Verdict::kSlower);
  EXPECT_EQ(verdict_of_bound(1.2, Bound::kAtLeast), Verdict::kFaster);
  EXPECT_EQ(verdict_of_bound(0.8, Bound::kAtLeast), Verdict::kOpen);
  EXPECT_EQ(verdict_of_bound(3.0, Bound::kNone), Verdict::kOpen) << "no interval";
}

TEST(Arena, NamesAnArmByItsSettings) {
  RunRecord run = made_up_run("pg", 1, {}, {{"policy", "exp3s"}, {"syllabus.eta", "auto"}});
  EXPECT_EQ(arm_name(run), "pg+exp3s");
  run.settings["syllabus.eta"] = "0.01";
  EXPECT_EQ(arm_name(run), "pg+exp3s,syllabus.eta=0.01");
  run.settings["gain"] = "uniform";
  EXPECT_EQ(arm_name(run), "uniform") << "a baseline has no policy";
}

TEST(Arena, RefusesRunsThatDifferInOtherSettings) {
  std::vector<RunRecord> runs;
  add_arm(runs, "needle", "pg", 1e6, 1e-6);
  runs.front().settings["network.cells"] = "32";
  runs.back().settings["network.cells"] = "64";
  EXPECT_EQ(refusal_of([&] { make_arena(runs, ""); }),
            "runs of pg+exp3s on needle differ in settings other than the seed; an arena compares "
            "only signals and policies");
}

TEST(Arena, MakesTheDocumentOfThePage) {
  const Json json = document_of(two_columns());
  EXPECT_EQ(json["columns"][0]["name"], "lengths");
  EXPECT_EQ(json["columns"][1]["goal"]["threshold"], 0.1);
  const Json& pg = json["rows"][1];
  EXPECT_EQ(pg["arm"], "pg+exp3s");
  EXPECT_EQ(pg["worst"], 0);
  EXPECT_EQ(pg["safe"], false);
  EXPECT_EQ(pg["cells"][1]["verdict"], "faster");
  EXPECT_EQ(pg["cells"][1]["speedUp"]["ratio"], 2);
  EXPECT_EQ(pg["seconds"], 1.2);
  EXPECT_EQ(json["command"], "gradus arena");
}

}  // namespace
}  // namespace gradus::report
