// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/settings.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/runs/runner.h"
#include "gradus/runs/sweep_grid.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Settings, HaveUniqueKeysAndAHelpText) {
  RunSettings settings;
  std::set<std::string> keys;
  for (const Setting& setting : settings_of(settings)) {
    EXPECT_TRUE(keys.insert(setting.key).second) << setting.key;
    EXPECT_FALSE(setting.help.empty()) << setting.key;
  }
}

// Overrides and files read back exactly what value_text() writes.
TEST(Settings, AreReadAsTheyAreWritten) {
  const ::gradus::testing::TemporaryFolder folder;
  RunSettings written;
  written.syllabus.eta = 0.1 + 0.2;
  std::get<FilesSettings>(written.curricula).path = "a \"quoted\"\nname";
  written.syllabus.probabilities = {0.25, 0.75};
  written.learner.optimiser.centred = false;
  written.steps = 9'000'000'000'000'000;
  std::string file;
  RunSettings overridden;
  for (const Setting& setting : settings_of(written)) {
    file += setting.key + " = " + value_text(setting) + "\n";
    apply_override(setting.key + "=" + value_text(setting), settings_of(overridden));
  }
  RunSettings loaded;
  load_settings(folder.write("all.toml", file), loaded);
  const auto expected = settings_of(written);
  const auto from_file = settings_of(loaded);
  const auto from_overrides = settings_of(overridden);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(value_text(from_file[i]), value_text(expected[i])) << expected[i].key;
    EXPECT_EQ(value_text(from_overrides[i]), value_text(expected[i])) << expected[i].key;
  }
}

TEST(Settings, HaveAnEtaThatIsANumberOrAutomatic) {
  RunSettings settings;
  EXPECT_EQ(settings.syllabus.eta, std::nullopt);
  EXPECT_THAT(config_text(settings), HasSubstr("eta = 'auto'\n"));
  apply_override("syllabus.eta=0.5", settings_of(settings));
  EXPECT_EQ(settings.syllabus.eta, 0.5);
  for (const char* text : {"auto", "\"auto\"", "'auto'"}) {
    settings.syllabus.eta = 0.5;
    apply_override(std::string("syllabus.eta=") + text, settings_of(settings));
    EXPECT_EQ(settings.syllabus.eta, std::nullopt) << text;
  }
  for (const char* text : {"fast", "Auto", "''", "-1", "nan", "1e9", "true", "[0.1]"}) {
    EXPECT_THAT(refusal([&] {
                  apply_override(std::string("syllabus.eta=") + text, settings_of(settings));
                }),
                HasSubstr(", expected a number from 0 to 100 or \"auto\""))
        << text;
  }
}

TEST(Settings, NameFileLineKeyAndTheNearestName) {
  const ::gradus::testing::TemporaryFolder folder;
  RunSettings settings;
  const std::string path = folder.write("run.toml", "seed = 3\n\n[syllabus]\netta = 0.1\n");
  EXPECT_EQ(refusal([&] { load_settings(path, settings); }),
            path + ":4: unknown setting \"syllabus.etta\"; did you mean \"syllabus.eta\"?");
  EXPECT_THAT(refusal([&] { apply_override("eta=1", settings_of(settings)); }),
              HasSubstr("syllabus.eta"));
  EXPECT_THAT(refusal([&] { apply_override("batch=0", settings_of(settings)); }),
              HasSubstr("batch is 0, expected a whole number from 1 to"));
  EXPECT_THAT(refusal([&] { apply_override("steps", settings_of(settings)); }),
              HasSubstr("key=value"));
}

TEST(Settings, AreGivenOnceOnACommandLine) {
  EXPECT_EQ(refusal([] {
              make_settings("", {"steps=5", "seed=2", "steps=6"});
            }),
            "steps is given twice, as steps=5 and as steps=6; expected one of them");
  RunSettings settings;
  EXPECT_EQ(refusal([&] {
              apply_overrides({"bits=2", "repeat_copy.bits=2"}, settings, "repeat_copy");
            }),
            "repeat_copy.bits is given twice, as bits=2 and as repeat_copy.bits=2; expected one of "
            "them");
  EXPECT_THAT(refusal([] {
                parse_sweep("", "sweep.toml", {"batch=[8, 16]", "batch=4"});
              }),
              HasSubstr("batch is given twice"));
}

// Doubles have finite ranges, so that an absurd number is refused before it trains for hours.
TEST(Settings, RefuseAbsurdNumbers) {
  RunSettings settings;
  for (const Setting& setting : settings_of(settings)) {
    const bool is_number = std::holds_alternative<double*>(setting.value) ||
                           std::holds_alternative<std::optional<double>*>(setting.value);
    if (!is_number) continue;
    EXPECT_THAT(refusal([&] { apply_override(setting.key + "=1e30", settings_of(settings)); }),
                HasSubstr(setting.key + " is 1e+30, expected a number "));
  }
  settings.learner.optimiser.momentum = 1;
  EXPECT_EQ(refusal([&] { checked(settings); }),
            "optimiser.momentum is 1, expected a number at least 0 and below 1");
}

// Order: the program's defaults, those of the curriculum, the config, the overrides; no matter
// which of the last two names the curriculum.
TEST(Settings, OfACurriculumHaveItsDefaultsUnlessSomethingElseIsSaid) {
  const ::gradus::testing::TemporaryFolder folder;
  const RunSettings files = make_settings("", {"network.layers=2", "curriculum=files"});
  EXPECT_EQ(files.curriculum, "files");
  EXPECT_EQ(files.network.cells, 128);
  EXPECT_EQ(files.gain, "hsg");
  EXPECT_EQ(files.syllabus.epsilon, 0.4);
  EXPECT_EQ(files.learner.optimiser.learning_rate, 1e-3);
  EXPECT_TRUE(files.evaluation_all_tasks);
  EXPECT_EQ(files.network.layers, 2);

  const std::string config =
      folder.write("files.toml", "curriculum = \"files\"\nsteps = 77\n[network]\ncells = 512\n");
  const RunSettings from_config = make_settings(config, {"steps=78"});
  EXPECT_EQ(from_config.network.cells,
            512);  // given explicitly, though it is the program's default
  EXPECT_EQ(from_config.steps, 78);
  EXPECT_EQ(from_config.learner.optimiser.learning_rate, 1e-3);

  const RunSettings other = make_settings(config, {"curriculum=babi"});
  EXPECT_EQ(other.learner.optimiser.learning_rate, RunSettings().learner.optimiser.learning_rate);
  EXPECT_FALSE(other.evaluation_all_tasks);
  EXPECT_EQ(other.network.cells, 512);
}

TEST(Settings, OfThePapersCurriculaAreTheProgramsDefaults) {
  for (const CurriculumEntry& entry : curriculum_list()) {
    RunSettings settings = default_settings(entry.name);
    EXPECT_EQ(settings.curriculum, entry.name);
    settings.curriculum = RunSettings().curriculum;
    if (entry.name == "files" || entry.name == "stress") continue;
    EXPECT_EQ(config_text(settings), config_text({})) << entry.name;
  }
}

// A complete config, as stored in a run's folder, does not depend on any default.
TEST(Settings, ThatAreStoredAreReadBackWhateverTheDefaults) {
  const ::gradus::testing::TemporaryFolder folder;
  RunSettings settings;
  settings.curriculum = "files";
  std::get<FilesSettings>(settings.curricula).path = "/data";
  std::get<NgramSettings>(settings.curricula).cache = "none";
  const std::string config = folder.write("config.toml", config_text(settings));
  EXPECT_EQ(config_text(make_settings(config, {})), config_text(settings));
}

TEST(Settings, OfASweepOverCurriculaHaveTheDefaultsOfEach) {
  const auto runs = parse_sweep("[sweep]\ncurriculum = [\"babi\", \"files\"]\nseed = [1, 2]\n",
                                "sweep.toml", {"batch=[8, 16]", "steps=5"});
  ASSERT_EQ(runs.size(), 8u);
  for (const SweepRun& run : runs) {
    EXPECT_EQ(run.settings.network.cells, run.settings.curriculum == "files" ? 128 : 512)
        << run.name;
    EXPECT_EQ(run.settings.steps, 5);
  }
  EXPECT_THAT(runs.front().name, HasSubstr("curriculum=babi"));
}

// Values in names are cut short; no run may be lost to that.
TEST(SweepGrid, KeepsRunsThatDifferOnlyPastTheEndOfTheirNames) {
  const std::string path = "/" + std::string(80, 'x');
  const auto runs = parse_sweep("curriculum = \"files\"\n[sweep]\nfiles.path = [\"" + path +
                                    "1\", \"" + path + "2\", \"" + path + "1\"]\n",
                                "sweep.toml", {});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].name, runs[0].name + ".2");
  EXPECT_EQ(std::get<FilesSettings>(runs[1].settings.curricula).path, path + "2");
}

TEST(SweepGrid, GivesRunsDifferentNamesThatCanNameAFolder) {
  std::string start = "x";
  for (int i = 0; i < 14; ++i) start += "\U0001f600";  // 57 bytes; of a value, 60 fit
  const auto runs =
      parse_sweep("curriculum = \"files\"\n[sweep]\nfiles.target = [\"a\\u0000/b\", \"" + start +
                      "\U0001f600\", \"" + start + ".2\", \"" + start + "\U0001f601\"]\n",
                  "sweep.toml", {});
  std::vector<std::string> names;
  for (const SweepRun& run : runs) names.push_back(run.name);
  const std::string cut = "files.target=" + start;
  EXPECT_THAT(names, ::testing::ElementsAre("files.target=a__b", cut, cut + ".2", cut + ".3"));
}

TEST(Settings, TakeEveryWholeNumberInTheirRange) {
  RunSettings settings;
  apply_override("seed=9007199254740993", settings_of(settings));  // 2^53 + 1 is no double
  EXPECT_EQ(settings.seed, 9007199254740993);
}

TEST(Settings, RefuseTextThatAConfigCannotHold) {
  RunSettings settings;
  EXPECT_THAT(refusal([&] { apply_override("files.path=\xff", settings_of(settings)); }),
              HasSubstr("files.path is \"\xff\", expected UTF-8"));
}

}  // namespace
}  // namespace gradus
