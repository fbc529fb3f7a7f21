// SPDX-License-Identifier: Apache-2.0
#include "gradus/files/file.h"

#include <system_error>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/refusal.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

TEST(ReadFile, GivesEveryByte) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(read_file(folder.write("empty", "")), "");
  EXPECT_EQ(read_file(folder.write("zero", std::string("a\0b\r\n", 5))),
            std::string("a\0b\r\n", 5));
  const std::string large(200'000, 'x');  // several blocks
  EXPECT_EQ(read_file(folder.write("large", large)), large);
}

TEST(ReadFile, ReadsAPipeToItsEnd) {
  const testing::TemporaryFolder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "one" << std::flush << "two"; });
  EXPECT_EQ(read_file(pipe), "onetwo");
  writer.join();
}

TEST(ReadFile, NamesTheFileAndTheReason) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(refusal_of([&] { read_file(folder.path("no")); }),
            folder.path("no") + ": cannot be read: No such file or directory");
  EXPECT_EQ(refusal_of([&] { read_file(folder.path()); }),
            folder.path().string() + ": cannot be read: Is a directory");
}

TEST(DurableFile, ReplacesTheTargetWhenCommittedAndLeavesNothingElse) {
  const testing::TemporaryFolder folder;
  const std::string target = folder.write("target", "old");
  {
    DurableFile abandoned(target);
    abandoned.write("new");
  }
  EXPECT_EQ(read_file(target), "old");
  DurableFile file(target);
  file.write("ne");
  file.write("w");
  EXPECT_EQ(read_file(target), "old");
  file.commit();
  EXPECT_EQ(read_file(target), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(DurableFile, TellsItsTemporaryFileFromOthers) {
  const testing::TemporaryFolder folder;
  const fs::path target = folder.path("target");
  const DurableFile file(target);
  const fs::path temporary = fs::directory_iterator(folder.path())->path();
  EXPECT_TRUE(DurableFile::is_temporary(temporary, target));
  EXPECT_FALSE(DurableFile::is_temporary(temporary, folder.path("other")));
  for (const char* other : {"target", "target.backup", "target.new", "target-wal"}) {
    EXPECT_FALSE(DurableFile::is_temporary(folder.path(other), target)) << other;
  }
}

TEST(DurableFile, FailsIfItsFolderDoesNotExist) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(write_durably(folder.path("no/file"), "x"), std::system_error);
  EXPECT_THROW(sync_folder(folder.path("no")), std::system_error);
}

}  // namespace
}  // namespace gradus
