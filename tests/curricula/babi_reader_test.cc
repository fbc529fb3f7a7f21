// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/curricula/babi/reader.h"
#include "gradus/files/utf8.h"

namespace gradus::babi {
namespace {

std::string message(std::string_view text) {
  try {
    read_stories(text, "qa1.txt");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(BabiReader, ReadsStatementsQuestionsAnswersAndSupport) {
  const std::vector<Story> stories = read_stories(
      "1 Mary moved to the bathroom.\n"
      "2 John got the apple there.\n"
      "3 What is John carrying? \tapple,milk\t2 1\n"
      "1 Sandra is in the office.\r\n"
      "2 Where is Sandra?\toffice\t1",
      "file");
  ASSERT_EQ(stories.size(), 2u);
  EXPECT_EQ(stories[0].lines[1], (Line{"John got the apple there.", {}, {}}));
  EXPECT_EQ(stories[0].lines[2], (Line{"What is John carrying?", {"apple", "milk"}, {2, 1}}));
  EXPECT_EQ(stories[1].lines[0].text, "Sandra is in the office.");
  EXPECT_EQ(stories[1].lines[1], (Line{"Where is Sandra?", {"office"}, {1}}));
}

TEST(BabiReader, RefusesBadTextByFileLineAndReason) {
  const std::string start = "1 Mary moved to the bathroom.\n";
  const std::string good = start + "2 Where is Mary?\tbathroom\t1\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "qa1.txt: is empty, expected stories"},
      {start + "2 Where is Mary?\n",
       "qa1.txt, line 2: the question \"Where is Mary?\" has no answer"},
      {start + "2 Where is Mary?\t\t1\n", "qa1.txt, line 2: the question has no answer"},
      {start + "2 Where is Mary?\tbathroom\n",
       "qa1.txt, line 2: has one TAB, expected two: question, answer, supporting lines"},
      {start + "2 Where is Mary?\tbathroom\t\n",
       "qa1.txt, line 2: has the supporting line \"\", expected a line number"},
      {start + "2 Where is Mary?\tbathroom\t1 \n",
       "qa1.txt, line 2: has the supporting line \"\", expected a line number"},
      {start + "2 Where is Mary?\tbathroom\tone\n",
       "qa1.txt, line 2: has the supporting line \"one\", expected a line number"},
      {start + "2 Where is Mary?\tbathroom\t99999999999999999999\n",
       "qa1.txt, line 2: has the supporting line \"99999999999999999999\", expected a line number"},
      {start + "2 Where is Mary?\tbathroom\t0\n",
       "qa1.txt, line 2: has the supporting line \"0\", expected a line number"},
      {start + "2 Where is Mary?\tbathroom\t2\n",
       "qa1.txt, line 2: supporting line 2 does not come before the question"},
      {start + "2 Where is Mary?\tbathroom\t1 1\n",
       "qa1.txt, line 2: supporting line 1 is given twice"},
      {good + "3 Where is Mary?\tbathroom\t2\n",
       "qa1.txt, line 3: supporting line 2 is a question, expected a statement"},
      {start + "2 Where is Mary?\tbath room\t1\n",
       "qa1.txt, line 2: the answer has \"bath room\", expected words separated by commas"},
      {start + "2 Where is Mary?\tbathroom,\t1\n",
       "qa1.txt, line 2: the answer has \"\", expected words separated by commas"},
      {start + "2 Where is Mary?\t-\t1\n",
       "qa1.txt, line 2: the answer has \"-\", expected words separated by commas"},
      {start + "2 Where is Mary?\t?\t1\n",
       "qa1.txt, line 2: the answer has \"?\", expected words separated by commas"},
      {start + "2 Where is Mary\tbathroom\t1\n",
       "qa1.txt, line 2: the question \"Where is Mary\" does not end in '?'"},
      {start + "2 Where is Mary?\tbathroom\t1\textra\n",
       "qa1.txt, line 2: has the supporting line \"1\textra\", expected a line number"},
      {start, "qa1.txt, line 1: the story that starts here has no question"},
      {good + start + start, "qa1.txt, line 3: the story that starts here has no question"},
      {"2 Mary moved.\n", "qa1.txt, line 1: is numbered 2, expected 1"},
      {start + "3 Mary moved.\n",
       "qa1.txt, line 2: is numbered 3, expected 2, or 1 for a new story"},
      {"Mary moved.\n", "qa1.txt, line 1: starts with \"Mary\", expected a line number"},
      {"-1 Mary moved.\n", "qa1.txt, line 1: starts with \"-1\", expected a line number"},
      {"4294967297 Mary moved.\n",
       "qa1.txt, line 1: starts with \"4294967297\", expected a line number"},
      {good + "\n", "qa1.txt, line 3: starts with \"\", expected a line number"},
      {"1\n", "qa1.txt, line 1: the statement \"\" does not end in '.'"},
      {"1 Mary moved\n", "qa1.txt, line 1: the statement \"Mary moved\" does not end in '.'"},
      {"1 .\n", "qa1.txt, line 1: \".\" has no words"},
      {start + "2 Mary \xff moved.\n", "qa1.txt, line 2: is not UTF-8"},
      {start + std::string("2 Mary\0moved.\n", 14), "qa1.txt, line 2: has the control character 0"},
      {start + "2 Mary\rmoved.\n", "qa1.txt, line 2: has the control character 13"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(message(text), expected);
}

TEST(BabiReader, QuotesLongTextInPartAndInWholeCharacters) {
  std::string text = "1 x";
  for (int i = 0; i < 100; ++i) text += "\u00e9";
  const std::string reason = message(text);
  EXPECT_LT(reason.size(), 120u);
  EXPECT_EQ(find_invalid_utf8(reason), std::string_view::npos) << reason;
}

// A temporary folder for each test.
class BabiFolder : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("babi_") + test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    for (const Task& task : all_tasks()) {
      for (const char* part : {"train", "test"}) {
        write(file_name(task, part),
              std::string("1 It is here.\n2 Where is it?\t") + part + "\t1\n");
      }
    }
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::string file_name(const Task& task, const std::string& part) {
    return "qa" + std::to_string(task.number) + "_" + std::string(task.slug) + "_" + part + ".txt";
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string dataset_error() const {
    try {
      read_dataset(folder_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

TEST_F(BabiFolder, IsReadTaskByTask) {
  write("LICENSE.txt", "not a story");
  write("qa21_more_train.txt", "not a story");
  write("qa1.txt", "not a story");
  const Dataset dataset = read_dataset(folder_);
  for (int i = 0; i < kTaskCount; ++i) {
    ASSERT_EQ(dataset.training[i].size(), 1u);
    EXPECT_EQ(dataset.training[i][0].lines[1].answer[0], "train");
    EXPECT_EQ(dataset.held_out[i][0].lines[1].answer[0], "test");
  }
}

TEST_F(BabiFolder, LackingATaskIsRefused) {
  std::filesystem::remove(folder_ / "qa7_counting_test.txt");
  EXPECT_EQ(dataset_error(),
            "bAbI folder " + folder_.string() +
                " has no qa7_*_test.txt; expected a train and a test file for each "
                "of the 20 tasks");
}

TEST_F(BabiFolder, WithTwoFilesForATaskIsRefused) {
  write("qa7_again_train.txt", "1 It is here.\n2 Where is it?\there\t1\n");
  EXPECT_EQ(dataset_error(), (folder_ / "qa7_again_train.txt").string() + " and " +
                                 (folder_ / "qa7_counting_train.txt").string() +
                                 " are both task 7; expected one train file per task");
}

TEST_F(BabiFolder, WithATaskOfNoStoryIsRefused) {
  write("qa9_simple-negation_train.txt", "");
  EXPECT_EQ(dataset_error(),
            (folder_ / "qa9_simple-negation_train.txt").string() + ": is empty, expected stories");
}

TEST_F(BabiFolder, NamesTheFileAndLineOfABadStory) {
  write("qa9_simple-negation_train.txt", "1 It is here.\n2 Where is it?\n");
  EXPECT_EQ(dataset_error(), (folder_ / "qa9_simple-negation_train.txt").string() +
                                 ", line 2: the question \"Where is it?\" has no answer");
}

TEST_F(BabiFolder, ThatIsNoneIsRefused) {
  EXPECT_THROW(read_dataset(folder_ / "absent"), InputError);
  EXPECT_THROW(read_dataset(folder_ / "qa7_counting_train.txt"), InputError);
  std::filesystem::remove(folder_ / "qa7_counting_train.txt");
  std::filesystem::create_directory(folder_ / "qa7_counting_train.txt");
  EXPECT_THROW(read_dataset(folder_), InputError);
}

}  // namespace
}  // namespace gradus::babi
