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
  EXPECT_EQ(json["curves"]["measures"].size(), 1);  // nothing else was measured
  EXPECT_EQ(json["curves"]["measures"][0]["curves"][1]["mean"], Json({6.1235, 3, 0.075}));
  EXPECT_EQ(json["curves"]["measures"][0]["curves"][1]["n"], Json({2, 2, 2}));
  EXPECT_EQ(json["byTask"]["views"][0]["policy"][1][0], Json({0.5, 0.5, 0.5}));
  EXPECT_EQ(json["maps"]["edges"], Json({0, 200, 400, 600, 800, 1000}));
  EXPECT_EQ(json["maps"]["axes"], Json({"pattern length", "repeats"}));
  EXPECT_EQ(json["maps"]["cells"][2], Json({2, 1}));
  EXPECT_EQ(json["maps"]["loss"][1][4], Json({1, 2, 3, 4}));
  EXPECT_EQ(json["maps"]["loss"][1][1][0], Json());
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

// Twelve groups of two runs each, with 169 tasks and 1,000 evaluations. More seeds do not enlarge
// the document. The page around it adds less than a megabyte.
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
  const Json json = document_of(make_report(runs, {title, "", {}, ""}));
  const std::string page = make_page("<script>@DOCUMENT@</script>", json);
  const std::string inside = page.substr(8, page.size() - 17);
  EXPECT_EQ(inside.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(inside)["title"], "</script><b>\"&\xEF\xBF\xBD");
}

}  // namespace
}  // namespace gradus::report
