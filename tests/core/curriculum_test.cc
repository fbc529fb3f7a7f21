// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/curriculum.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/core/fakes.h"
#include "tests/refusal.h"

namespace gradus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CurriculumDescription, IsReadAsItWasWritten) {
  const CurriculumDescription written{.title = "the \"test\"",
                                      .noun = "level",
                                      .axes = {{"depth", {1, 2}}, {"width", {3, 3}}},
                                      .by_task = {"loss"},
                                      .measure = "mean_error",
                                      .solved = 0.25,
                                      .paper_figures = {{"maps", {3, 4e8}}},
                                      .paper_settings = {{"network.cells", "512"}}};
  const CurriculumDescription read =
      read_description(nlohmann::json::parse(to_json(written).dump()));
  EXPECT_EQ(read.title, written.title);
  EXPECT_EQ(read.noun, "level");
  ASSERT_EQ(read.axes.size(), 2u);
  EXPECT_EQ(read.axes[1].name, "width");
  EXPECT_THAT(read.axes[0].values, ElementsAre(1, 2));
  EXPECT_THAT(read.by_task, ElementsAre("loss"));
  EXPECT_EQ(read.measure, "mean_error");
  EXPECT_EQ(read.solved, 0.25);
  EXPECT_EQ(read.paper_figures.at("maps").number, 3);
  EXPECT_EQ(read.paper_figures.at("maps").steps, 4e8);
  EXPECT_EQ(read.paper_settings.at("network.cells"), "512");
  EXPECT_FALSE(read_description(to_json({})).solved);
  EXPECT_THAT(refusal_of([] { read_description(nlohmann::json::array()); }), HasSubstr("damaged"));
}

TEST(Curriculum, FindsTasksByNameAndSuggestsTheNearest) {
  const FakeCurriculum curriculum(3);
  EXPECT_EQ(curriculum.find_task("task2"), 2);
  EXPECT_THAT(refusal_of([&] { curriculum.find_task("tusk2"); }), HasSubstr("\"task2\"?"));
}

TEST(Curriculum, SeparatesItsSamples) {
  std::ostringstream out;
  const FakeCurriculum curriculum(2);
  curriculum.write_samples(1, 2, 7, out);
  Random random(7, Purpose::kSample, 0, 1);
  const std::string sample = curriculum.describe(1, random);
  EXPECT_EQ(out.str(), sample + "\n\n" + sample + "\n");
}

}  // namespace
}  // namespace gradus
