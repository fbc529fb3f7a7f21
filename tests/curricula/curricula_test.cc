// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/curricula.h"

#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/refusal.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

using ::testing::ElementsAre;

// Settings with which every curriculum can be made.
CurriculumSettings small_settings(const testing::TemporaryFolder& folder) {
  CurriculumSettings settings;
  std::get<RepeatCopySettings>(settings) = {.max_length = 2, .max_repeats = 3, .bits = 2};
  auto& ngram = std::get<NgramSettings>(settings);
  ngram.corpus = folder.write("corpus.text", "to be or not to be, that is the question\n");
  ngram.cache = "none";
  ngram.max_order = 2;
  ngram.characters = 1000;
  std::string numbers;
  for (int i = 0; i < 400; ++i) numbers += std::to_string(i * i) + " ";
  folder.write("squares.txt", numbers);
  std::get<FilesSettings>(settings).path = folder.path().string();
  return settings;
}

TEST(Curricula, HaveDistinctNamesAndTables) {
  std::set<std::string> names;
  for (const CurriculumEntry& entry : curriculum_list()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
  }
  EXPECT_THAT(names, ElementsAre("babi", "files", "ngram", "repeat-copy", "stress"));
}

TEST(Curricula, AreMadeByNameAndDescribeTheirTasks) {
  const testing::TemporaryFolder folder;
  const CurriculumSettings settings = small_settings(folder);
  for (const CurriculumEntry& entry : curriculum_list()) {
    const auto curriculum = make_curriculum(entry.name, settings);
    EXPECT_EQ(curriculum->name(), entry.name);
    const CurriculumDescription description = curriculum->description();
    for (const TaskAxis& axis : description.axes) {
      EXPECT_EQ(axis.values.size(), curriculum->tasks().size()) << entry.name;
    }
    EXPECT_EQ(to_json(description), to_json(description_of(entry.name, settings))) << entry.name;
  }
  EXPECT_EQ(refusal_of([&] { make_curriculum("repeat-copi", settings); }),
            "unknown curriculum \"repeat-copi\"; did you mean \"repeat-copy\"?");
}

TEST(Curricula, OfAGridHaveTheNumbersInTheNamesOfTheirTasks) {
  const RepeatCopy curriculum({.max_length = 2, .max_repeats = 3});
  const std::vector<TaskAxis> axes = curriculum.description().axes;
  EXPECT_THAT(curriculum.tasks(), ElementsAre("1,1", "1,2", "1,3", "2,1", "2,2", "2,3"));
  EXPECT_THAT(axes[0].values, ElementsAre(1, 1, 1, 2, 2, 2));
  EXPECT_THAT(axes[1].values, ElementsAre(1, 2, 3, 1, 2, 3));
}

TEST(Curricula, PrintSamplesThatDependOnlyOnTheSeed) {
  const testing::TemporaryFolder folder;
  const CurriculumSettings settings = small_settings(folder);
  for (const CurriculumEntry& entry : curriculum_list()) {
    const SampleCommand command = sample_command(entry.name, settings, nullptr);
    const auto samples = [&](std::uint64_t seed) {
      std::ostringstream out;
      command.run(seed, out);
      return out.str();
    };
    EXPECT_FALSE(samples(1).empty()) << entry.name;
    EXPECT_EQ(samples(1), samples(1)) << entry.name;
    EXPECT_NE(samples(1), samples(2)) << entry.name;
  }
}

}  // namespace
}  // namespace gradus
