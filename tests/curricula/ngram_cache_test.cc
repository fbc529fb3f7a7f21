// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/curricula/ngram/cache.h"
#include "gradus/curricula/ngram/ngram.h"
#include "gradus/files/file.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class NgramCacheTest : public ::testing::Test {
 protected:
  NgramCache cache() {
    return {folder().string(), [this](const std::string& note) { notes_.push_back(note); }};
  }
  // The file of the only entry.
  std::filesystem::path entry() const { return *std::filesystem::directory_iterator(folder()); }

  const std::filesystem::path& folder() const { return folder_.path(); }

  testing::TemporaryFolder folder_;
  std::vector<std::string> notes_;
};

TEST_F(NgramCacheTest, GivesBackWhatWasStoredUnderTheSameKey) {
  EXPECT_EQ(cache().load("a", "key"), std::nullopt);
  cache().store("a", "key", "payload");
  EXPECT_EQ(cache().load("a", "key"), "payload");
  cache().store("a", "key", "another");
  EXPECT_EQ(cache().load("a", "key"), "another");
  EXPECT_THAT(notes_, IsEmpty());
  EXPECT_EQ(entry(), folder() / "a") << "a temporary file was left behind";
}

TEST_F(NgramCacheTest, AnotherKeyIsStaleAndSaidSo) {
  cache().store("a", "key", "payload");
  EXPECT_EQ(cache().load("a", "other key"), std::nullopt);
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("out of date")));
}

TEST_F(NgramCacheTest, AFileCutAnywhereIsDamaged) {
  cache().store("a", "key", "payload");
  const std::string whole = read_file(entry());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write(entry(), whole.substr(0, size));
    EXPECT_EQ(cache().load("a", "key"), std::nullopt) << "cut to " << size;
  }
  EXPECT_THAT(notes_, ::testing::Each(HasSubstr("damaged")));
  EXPECT_EQ(notes_.size(), whole.size());
}

TEST_F(NgramCacheTest, AFileWithAnyBitFlippedIsDamaged) {
  cache().store("a", "key", "payload");
  const std::string whole = read_file(entry());
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    write(entry(), flipped);
    EXPECT_EQ(cache().load("a", "key"), std::nullopt) << "bit " << bit;
  }
  EXPECT_THAT(notes_, ::testing::Each(HasSubstr("damaged")));
}

TEST_F(NgramCacheTest, AFolderThatCannotBeWrittenIsNotedAndNothingMore) {
  write(folder() / "file", "");
  const NgramCache blocked((folder() / "file").string(),
                           [this](const std::string& note) { notes_.push_back(note); });
  blocked.store("a", "key", "payload");
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("cannot be written")));
  EXPECT_EQ(blocked.load("a", "key"), std::nullopt);
}

TEST_F(NgramCacheTest, NoneKeepsNothing) {
  const NgramCache none("none", nullptr);
  none.store("a", "key", "payload");
  EXPECT_EQ(none.load("a", "key"), std::nullopt);
  EXPECT_FALSE(std::filesystem::exists("none"));
}

TEST_F(NgramCacheTest, TheDefaultFolderIsTheUsersCache) {
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("XDG_CACHE_HOME", folder().c_str(), 1);
  NgramCache("", nullptr).store("a", "key", "payload");
  EXPECT_TRUE(std::filesystem::exists(folder() / "gradus" / "a"));
  before == nullptr ? ::unsetenv("XDG_CACHE_HOME") : ::setenv("XDG_CACHE_HOME", kept.c_str(), 1);
}

// A user sees the same sequences no matter what happens to the cache.
class NgramWithCache : public NgramCacheTest {
 protected:
  void SetUp() override {
    cache_ = folder() / "cache";
    write(folder() / "corpus.txt", "a rose is a rose is a rose\n");
  }
  std::vector<std::uint32_t> targets() {
    const Ngram ngram({.corpus = (folder() / "corpus.txt").string(),
                       .max_order = 3,
                       .characters = 300,
                       .sequence = 30,
                       .context = 10,
                       .cache = cache_.string()},
                      [this](const std::string& note) { notes_.push_back(note); });
    Random random(1, Purpose::kSample, 0);
    return ngram.sample(3, 4, Split::kTraining, random).targets;
  }
  std::vector<std::filesystem::path> entries() const {
    return {std::filesystem::directory_iterator(cache_), std::filesystem::directory_iterator()};
  }

  std::filesystem::path cache_;
};

TEST_F(NgramWithCache, CountsAndDataSetsAreKeptAndUsed) {
  const auto first = targets();
  ASSERT_EQ(entries().size(), 2u);
  const auto written = std::filesystem::last_write_time(entries()[0]);
  EXPECT_EQ(targets(), first);
  EXPECT_EQ(std::filesystem::last_write_time(entries()[0]), written);
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(NgramWithCache, AChangedCorpusIsReadAgain) {
  const auto first = targets();
  write(folder() / "corpus.txt", "a nose is a nose is a nose\n");
  EXPECT_NE(targets(), first);
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("out of date"), HasSubstr("out of date")));
  EXPECT_EQ(entries().size(), 2u) << "a file that is out of date was not replaced";
}

TEST_F(NgramWithCache, DamagedFilesAreMadeAgain) {
  const auto first = targets();
  for (const auto& file : entries()) {
    std::string bytes = read_file(file);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 16);
    write(file, bytes);
  }
  EXPECT_EQ(targets(), first);
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("damaged"), HasSubstr("damaged")));
  notes_.clear();
  EXPECT_EQ(targets(), first);
  EXPECT_THAT(notes_, IsEmpty());
}

}  // namespace
}  // namespace gradus
