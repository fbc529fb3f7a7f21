// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/temporary_folder.h"

namespace gradus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Outcome {
  int code;
  std::string output;  // stdout and stderr combined
};

class DataNgram : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string text;
    for (int i = 0; i < 50; ++i) text += "to be or not to be, that is the question\n";
    write("corpus.txt", text);
  }

  std::string path(const std::string& name) const { return folder_.path(name); }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  // Runs `gradus data ngram ARGUMENTS` on the corpus above, with a separate cache.
  Outcome run(const std::string& arguments, const std::string& corpus = "corpus.txt") const {
    std::string command = GRADUS_PROGRAM;
    command += " data ngram corpus=" + path(corpus);
    command += " cache=" + path("cache") + " " + arguments + " 2>&1";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    Outcome outcome{-1, ""};
    std::array<char, 4096> block;
    while (const std::size_t count = std::fread(block.data(), 1, block.size(), pipe)) {
      outcome.output.append(block.data(), count);
    }
    outcome.code = WEXITSTATUS(::pclose(pipe));
    return outcome;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(DataNgram, PrintsExactlyTheCharactersAskedForAndTheSameForTheSameSeed) {
  const Outcome first = run("--order 3 --count 300 --seed 5");
  EXPECT_EQ(first.code, 0);
  EXPECT_EQ(first.output.size(), 300u);
  EXPECT_EQ(run("--order 3 --count 300 --seed 5").output, first.output);
  EXPECT_NE(run("--order 3 --count 300 --seed 6").output, first.output);
}

TEST_F(DataNgram, ScoresAFileInBitsACharacter) {
  // Order 0 is uniform over the 15 characters of the corpus: log2(15) bits.
  write("text.txt", "not to be\n");
  EXPECT_EQ(run("--order 0 --score " + path("text.txt")).output, "3.906891\n");
}

TEST_F(DataNgram, RefusesWhatItCannotScoreOrSample) {
  write("text.txt", "to be\nor not 2 be\n");
  const Outcome outside = run("--order 2 --score " + path("text.txt"));
  EXPECT_EQ(outside.code, 2);
  EXPECT_THAT(outside.output, AllOf(HasSubstr("text.txt, line 2"), HasSubstr("\"2\"")));
  const Outcome order = run("--order 11");
  EXPECT_EQ(order.code, 2);
  EXPECT_THAT(order.output, HasSubstr("order is 11, expected 0..10"));
  const Outcome both = run("--count 5 --score " + path("text.txt"));
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.output, AllOf(HasSubstr("--count"), HasSubstr("--score")));
  const Outcome missing = run("--order 2", "absent.txt");
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.output, AllOf(HasSubstr("absent.txt"), HasSubstr("No such file")));
}

TEST_F(DataNgram, ADamagedCacheCostsAWarningAndChangesNothing) {
  const Outcome first = run("--order 4 --count 100");
  for (const auto& file : std::filesystem::directory_iterator(path("cache"))) {
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  }
  const Outcome second = run("--order 4 --count 100");
  EXPECT_EQ(second.code, 0);
  EXPECT_THAT(second.output,
              AllOf(HasSubstr("warning"), HasSubstr("damaged"), ::testing::EndsWith(first.output)));
  EXPECT_EQ(run("--order 4 --count 100").output, first.output);
}

}  // namespace
}  // namespace gradus
