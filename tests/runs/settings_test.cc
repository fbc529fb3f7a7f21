#include "gradus/runs/settings.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"
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

// What value_text writes, an override and a file read back as the same value.
TEST(Settings, AreReadAsTheyAreWritten) {
  const ::gradus::testing::TemporaryFolder folder;
  RunSettings written;
  written.syllabus.eta = 0.1 + 0.2;
  written.files.path = "a \"quoted\"\nname";
  written.syllabus.probabilities = {0.25, 0.75};
  written.optimiser.centred = false;
  written.steps = 9'000'000'000'000'000;
  std::string file;
  RunSettings overridden;
  for (const Setting& setting : settings_of(written)) {
    file += setting.key + " = " + value_text(setting) + "\n";
    apply_override(setting.key + "=" + value_text(setting), overridden);
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
  apply_override("syllabus.eta=0.5", settings);
  EXPECT_EQ(settings.syllabus.eta, 0.5);
  for (const char* text : {"auto", "\"auto\"", "'auto'"}) {
    settings.syllabus.eta = 0.5;
    apply_override(std::string("syllabus.eta=") + text, settings);
    EXPECT_EQ(settings.syllabus.eta, std::nullopt) << text;
  }
  for (const char* text : {"fast", "Auto", "''", "-1", "nan", "true", "[0.1]"}) {
    EXPECT_THAT(refusal([&] { apply_override(std::string("syllabus.eta=") + text, settings); }),
                HasSubstr(", expected a number from 0 or \"auto\""))
        << text;
  }
}

TEST(Settings, NameFileLineKeyAndTheNearestName) {
  const ::gradus::testing::TemporaryFolder folder;
  RunSettings settings;
  const std::string path = folder.write("run.toml", "seed = 3\n\n[syllabus]\netta = 0.1\n");
  EXPECT_EQ(refusal([&] { load_settings(path, settings); }),
            path + ":4: unknown setting \"syllabus.etta\"; did you mean \"syllabus.eta\"?");
  EXPECT_THAT(refusal([&] { apply_override("eta=1", settings); }), HasSubstr("syllabus.eta"));
  EXPECT_THAT(refusal([&] { apply_override("batch=0", settings); }),
              HasSubstr("batch is 0, expected a whole number from 1 to"));
  EXPECT_THAT(refusal([&] { apply_override("steps", settings); }), HasSubstr("key=value"));
}

}  // namespace
}  // namespace gradus
