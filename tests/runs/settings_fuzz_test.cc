// SPDX-License-Identifier: Apache-2.0
// load_settings() either reads a damaged config or throws InputError. Run this under asan.

#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/core/random.h"
#include "gradus/runs/settings.h"
#include "gradus/runs/sweep_grid.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

std::string all_settings() {
  RunSettings settings;
  std::string text = "# every setting\n";
  for (const Setting& setting : settings_of(settings)) {
    text += setting.key + " = " + value_text(setting) + "\n";
  }
  return text + "[[list]]\nx = {a = 1, b = [1, 2.5, \"c\"]}\n";
}

std::string damaged(std::string text, Random& random) {
  const std::string splinters = "[]{}=.\"'\n\\#,-+_eE0x9infnan\xff\t";
  const int edits = 1 + static_cast<int>(random.below(6));
  for (int i = 0; i < edits && !text.empty(); ++i) {
    const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
    const std::uint32_t kind = random.below(4);
    if (kind == 0) text[at] = static_cast<char>(random());
    if (kind == 1) text.insert(at, 1, splinters[random.below(splinters.size())]);
    if (kind == 2) text.erase(at, 1 + random.below(40));
    if (kind == 3) text.insert(at, text.substr(random.below(text.size()), random.below(60)));
  }
  return text;
}

TEST(SettingsFuzz, ReadsDamagedConfigsOrRefusesThem) {
  const testing::TemporaryFolder folder;
  const std::string whole = all_settings();
  Random random(1, Purpose::kSample, 0);
  int read = 0;
  for (int i = 0; i < 500; ++i) {
    RunSettings settings;
    const std::string path = folder.write("run.toml", damaged(whole, random));
    try {
      load_settings(path, settings);
      ++read;
    } catch (const InputError&) {
    }
  }
  EXPECT_LT(read, 500);
}

TEST(SettingsFuzz, ReadsDamagedGridsOrRefusesThem) {
  const std::string whole =
      "steps = 1000\n[[sweep]]\ngain = [\"pg\", 'uniform']\nseed = [1, 2, 3]\n"
      "syllabus = {eta = [1e-3, 0.1], probabilities = [[0.5, 0.5], [1, 0]]}\n"
      "[[sweep]]\nobjective = \"vi\"\ngain = 'vcg'\n";
  Random random(2, Purpose::kSample, 0);
  int read = 0;
  for (int i = 0; i < 500; ++i) {
    try {
      parse_sweep(damaged(whole, random), "sweep.toml", {"batch=[8, 16]"});
      ++read;
    } catch (const InputError&) {
    }
  }
  EXPECT_LT(read, 500);
  EXPECT_EQ(parse_sweep(whole, "sweep.toml", {}).size(), 25u);
}

}  // namespace
}  // namespace gradus
