// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/document.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/report/page.h"
#include "tests/report/made_up.h"

namespace gradus::report {
namespace {

using Json = nlohmann::ordered_json;

std::vector<RunRecord> two_signals() {
  std::vector<RunRecord> runs;
  for (const char* gain : {"pg", "uniform"}) {
    for (int seed = 1; seed <= 2; ++seed) {
      RunRecord run = made_up_run(gain, seed, {{0, 6.123456789}, {500, 3}, {1000, 0.05 * seed}},
                                  {{"steps", "1000"}});
      for (const std::int64_t steps : {0, 500, 1000}) {
        run.task_metrics.push_back({steps, {.25, .25, .25, .25}, {1, 2, 3, 4}, {}});
      }
      runs.push_back(run);
    }
  }
  return runs;
}

Json document(const std::vector<RunRecord>& runs) {
  return document_of(make_report(runs, {}));
}

TEST(Document, HoldsGroupsTableCurvesAndMaps) {
  const Json json = document(two_signals());
  EXPECT_EQ(json["curriculum"], "repeat-copy");
  EXPECT_EQ(json["title"], "repeat-copy");
  EXPECT_EQ(json["target"], "2,2");
  ASSERT_EQ(json["groups"].size(), 2);
  EXPECT_EQ(json["groups"][1]["name"], "pg");
  EXPECT_EQ(json["groups"][1]["seeds"], Json({"1", "2"}));
  EXPECT_EQ(json["groups"][1]["status"], Json({{"finished", 2}}));
  EXPECT_EQ(json["goal"]["threshold"], 0.1);
  EXPECT_EQ(json["table"][1]["reached"], 2);
  EXPECT_EQ(json["baseline"], "uniform");
  EXPECT_EQ(json["table"][1]["baseline"], "uniform");
  EXPECT_EQ(json["table"][1]["speedUp"],
            Json({{"ratio", 1}, {"bound", "none"}, {"remark", "too few seeds"}}));
  EXPECT_EQ(json["curves"]["steps"], Json({0, 500, 1000}));
  // Nothing else was measured; the distance from uniform follows from the policies.
  EXPECT_EQ(json["curves"]["measures"].size(), 2);
  EXPECT_EQ(json["curves"]["measures"][0]["curves"][1]["mean"], Json({6.1235, 3, 0.075}));
  EXPECT_EQ(json["curves"]["measures"][0]["curves"][1]["n"], Json({2, 2, 2}));
  EXPECT_EQ(json["byTask"]["views"][0]["policy"][1][0], Json({0.5, 0.5, 0.5}));
  EXPECT_EQ(json["maps"]["edges"], Json({0, 200, 400, 600, 800, 1000}));
  EXPECT_EQ(json["maps"]["axes"], Json({"pattern length", "repeats"}));
  EXPECT_EQ(json["maps"]["cells"][2], Json({2, 1}));
  EXPECT_EQ(json["maps"]["loss"][1][4], Json({1, 2, 3, 4}));
  EXPECT_EQ(json["maps"]["loss"][1][1][0], Json());
}

TEST(Document, TellsBaselinesFromSignals) {
  const Json groups =
      document({made_up_run("uniform", 1, {{0, 6}}), made_up_run("target", 1, {{0, 6}}),
                made_up_run("frontier", 1, {{0, 6}}), made_up_run("pg", 1, {{0, 6}})})["groups"];
  std::vector<bool> are_baselines;
  for (const Json& group : groups) are_baselines.push_back(group["isBaseline"]);
  EXPECT_EQ(are_baselines, std::vector<bool>({true, true, true, false}));
}

TEST(Document, HasMeansQuartilesAndEveryRun) {
  std::vector<RunRecord> runs;
  for (int seed = 1; seed <= 3; ++seed) {
    runs.push_back(made_up_run("pg", seed, {{0, 6}, {1000, seed * seed}}, {{"steps", "1000"}}));
  }
  const Json pg = document(runs)["curves"]["measures"][0]["curves"][0];
  EXPECT_EQ(pg["mean"], Json({6, 4.6667}));
  EXPECT_EQ(pg["median"], Json({6, 4}));
  EXPECT_EQ(pg["low"], Json({6, 2.5}));
  EXPECT_EQ(pg["high"], Json({6, 6.5}));
  EXPECT_EQ(pg["runs"], Json({{6, 1}, {6, 4}, {6, 9}}));
  runs.resize(1);
  EXPECT_FALSE(document(runs)["curves"]["measures"][0]["curves"][0].contains("median"));
}

RunRecord of_paper(const std::string& gain, const std::string& cells) {
  RunRecord run =
      made_up_run(gain, 1, {{0, 6}, {1000, 3}}, {{"steps", "1000"}, {"network.cells", cells}});
  run.description.paper_figures = {{"maps", {3, 400}}, {"performance", {2, 1100}}};
  run.description.paper_settings = {{"network.cells", "512"}};
  for (const std::int64_t steps : {0, 400, 1000}) {
    run.task_metrics.push_back({steps, {.25, .25, .25, .25}, {}, {}});
  }
  return run;
}

TEST(Document, NamesAFigureOfThePaperOnlyIfItIsThatFigure) {
  const Json json = document({of_paper("pg", "512"), of_paper("uniform", "512")});
  // Figure 2 needs 1100 steps. Figure 3 has its own end.
  EXPECT_EQ(json["paperFigures"], Json({{"maps", 3}}));
  EXPECT_EQ(json["maps"]["edges"].back(), 400);
  EXPECT_EQ(json["curves"]["steps"].back(), 1000);
  const Json other = document({of_paper("pg", "512"), of_paper("uniform", "64")});
  EXPECT_EQ(other["paperFigures"], Json::object());
  EXPECT_EQ(other["maps"]["edges"].back(), 1000);
}

TEST(Document, SaysWhereItsRunsComeFrom) {
  std::vector<RunRecord> runs = two_signals();
  runs[0].started = 1'000'000'000;  // 2001-09-09, 01:46:40 UTC
  runs[1].started = 951'782'400;    // 2000-02-29, 00:00:00 UTC
  runs[2].version = "0.2.0";
  for (RunRecord& run : runs) {
    run.settings.insert({{"repeat_copy.bits", "8"}, {"babi.variant", "P"}});
  }
  ReportOptions options;
  options.command = "gradus report runs";
  const Json json = document_of(make_report(runs, options));
  EXPECT_EQ(json["origin"]["versions"], Json({"0.1.0", "0.2.0"}));
  EXPECT_EQ(json["origin"]["first"], "2000-02-29");
  EXPECT_EQ(json["origin"]["last"], "2001-09-09");
  EXPECT_EQ(json["origin"]["settings"]["steps"], "1000");
  EXPECT_FALSE(json["origin"]["settings"].contains("gain"));
  EXPECT_EQ(json["origin"]["settings"]["repeat_copy.bits"], "8");
  EXPECT_FALSE(json["origin"]["settings"].contains("babi.variant"));  // of another curriculum
  EXPECT_EQ(json["command"], "gradus report runs");
}

// ln 8 nats are 3 bits.
TEST(Document, TellsTextsInBits) {
  RunRecord run = made_up_run("pg", 1, {{0, std::log(8.0)}, {500, std::log(4.0)}},
                              {{"curriculum", "files"}, {"steps", "500"}});
  run.units = {"character", "", "character", "character"};
  for (Metrics& metrics : run.metrics) metrics.mean_loss = std::log(2.0);
  for (const std::int64_t steps : {0, 500}) {
    const double none = Metrics::kNone;
    const double loss = std::log(16.0);
    run.task_metrics.push_back(
        {steps, {.25, .25, .25, .25}, {loss, loss, loss, loss}, {none, 0.5, none, none}});
  }
  const Json json = document({run});
  EXPECT_EQ(json["goal"]["label"], "target loss (bits per character)");
  EXPECT_EQ(json["table"][0]["last"]["mean"], 2);
  const Json& measures = json["curves"]["measures"];
  EXPECT_EQ(measures[0]["label"], "target loss (bits per character)");
  EXPECT_EQ(measures[0]["curves"][0]["mean"], Json({3, 2}));
  EXPECT_EQ(measures[1]["label"], "mean loss (bits per output)");
  EXPECT_EQ(measures[1]["curves"][0]["mean"], Json({1, 1}));
  const Json& view = json["byTask"]["views"][0];
  EXPECT_EQ(view["lossUnits"], Json({"bits per character", "bits per output", "bits per character",
                                     "bits per character"}));
  EXPECT_EQ(view["loss"][0][3], Json({4, 4}));
  EXPECT_EQ(view["error"][0][1], Json({0.5, 0.5}));
  EXPECT_EQ(view["error"][0][0], Json({nullptr, nullptr}));
}

TEST(Document, OfRunsWithDifferentUnitsTellsBitsPerOutput) {
  std::vector<RunRecord> runs;
  for (const char* unit : {"character", "word"}) {
    runs.push_back(made_up_run("pg", 1, {{0, std::log(8.0)}}, {{"files.unit", unit}}));
    runs.back().units.assign(4, unit);
  }
  const Json json = document(runs);
  EXPECT_EQ(json["goal"]["label"], "target loss (bits per output)");
  EXPECT_EQ(json["table"][0]["last"]["mean"], 3);
}

TEST(Document, OfRunsThatHaveJustBegunHasNoCurves) {
  const Json json = document({made_up_run("pg", 1, {}), made_up_run("uniform", 1, {})});
  EXPECT_TRUE(json["curves"]["steps"].empty());
  EXPECT_TRUE(json["curves"]["measures"].empty());
  EXPECT_EQ(json["maps"], Json());
  EXPECT_EQ(json["table"][0]["last"]["mean"], Json());
}

// Twelve groups of two runs each, with 169 tasks and 1,000 evaluations. Every further run adds 300
// numbers per measure. The page around it adds less than a megabyte.
TEST(Document, StaysSmall) {
  std::vector<RunRecord> runs;
  for (const char* gain : {"uniform", "pg", "gpg", "spg", "tpg", "mpg", "vcg", "gvcg", "l2g",
                           "gl2g", "target", "other"}) {
    for (int seed = 1; seed <= 2; ++seed) {
      RunRecord run = made_up_run(gain, seed, {});
      run.tasks.clear();
      for (TaskAxis& axis : run.description.axes) axis.values.clear();
      for (int i = 0; i < 169; ++i) {
        run.tasks.push_back(std::to_string(1 + i / 13) + "," + std::to_string(1 + i % 13));
        run.description.axes[0].values.push_back(1 + i / 13);
        run.description.axes[1].values.push_back(1 + i % 13);
      }
      for (int i = 0; i <= 1000; ++i) {
        Metrics metrics;
        metrics.steps = i * 1'000'003;
        metrics.target_loss = metrics.entropy = metrics.complexity = 1.0 / (i + 3);
        run.metrics.push_back(metrics);
        const std::vector<double> values(169, 1.0 / (i + 7));
        run.task_metrics.push_back({metrics.steps, values, values, {}});
      }
      runs.push_back(std::move(run));
    }
  }
  EXPECT_LT(document(runs).dump().size(), 1'500'000);
}

TEST(Page, HoldsTheDocumentWhateverNamesAreInIt) {
  std::vector<RunRecord> runs = two_signals();
  const std::string title = "</script><b>\"&\xff";
  const Json json = document_of(make_report(runs, {title, "", {}, "", ""}));
  const std::string page = make_page("<script>@DOCUMENT@</script>", json);
  const std::string inside = page.substr(8, page.size() - 17);
  EXPECT_EQ(inside.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(inside)["title"], "</script><b>\"&\xEF\xBF\xBD");
}

}  // namespace
}  // namespace gradus::report
