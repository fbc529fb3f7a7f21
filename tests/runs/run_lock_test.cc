// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_lock.h"

#include <memory>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "gradus/files/file.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

using namespace std::chrono_literals;

nlohmann::json claim_of_another_host(int beat) {
  return {{"host", "node7"}, {"boot", "another"}, {"pid", 41},   {"job", "12"},
          {"beat", beat},    {"working", true},   {"lease", 0.3}};
}

void write_claim(const testing::TemporaryFolder& folder, const nlohmann::json& claim) {
  std::filesystem::create_directories(folder.path() / "claims");
  write_durably(folder.path() / "claims/3", claim.dump());
}

TEST(RunLock, IsHeldOnceAndByOneUntilItGoes) {
  const testing::TemporaryFolder folder;
  EXPECT_FALSE(RunLock::is_held(folder.path()));
  auto lock = std::make_unique<RunLock>(folder.path());
  EXPECT_TRUE(RunLock::is_held(folder.path()));
  EXPECT_THROW(RunLock{folder.path()}, RunTaken);  // even by the same process
  lock.reset();
  EXPECT_FALSE(RunLock::is_held(folder.path()));
  const RunLock again(folder.path());
}

TEST(RunLock, KnowsItsHolderUnlessTheProcessIdIsAnOldOne) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(RunLock::holder(folder.path()), std::nullopt);
  auto lock = std::make_unique<RunLock>(folder.path());
  EXPECT_EQ(RunLock::holder(folder.path()), getpid());
  folder.write("lock", "1\n");  // process 1 does not have it open
  EXPECT_EQ(RunLock::holder(folder.path()), std::nullopt);
  folder.write("lock", std::to_string(getpid()));
  EXPECT_EQ(RunLock::holder(folder.path()), getpid());
  lock.reset();
  EXPECT_EQ(RunLock::holder(folder.path()), std::nullopt);
}

TEST(RunLock, GoesWithItsProcess) {
  const testing::TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    new RunLock(folder.path());
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(last_claim(folder.path())->pid, child);
  EXPECT_TRUE(last_claim(folder.path())->working);  // it died without releasing the claim
  EXPECT_FALSE(RunLock::is_held(folder.path()));
  const RunLock mine(folder.path());
  EXPECT_EQ(last_claim(folder.path())->number, 2);
}

TEST(RunLock, RespectsAnotherHostUntilItIsKnownToBeDead) {
  const testing::TemporaryFolder folder;
  write_claim(folder, claim_of_another_host(0));
  EXPECT_TRUE(RunLock::is_held(folder.path()));
  try {
    const RunLock mine(folder.path());
    FAIL();
  } catch (const RunTaken& error) {
    EXPECT_EQ(error.what(),
              folder.path().string() + ": another process (41 on node7) is working on this run");
  }
  const RunLock mine(folder.path(), 3);
  EXPECT_EQ(last_claim(folder.path())->number, 4);
}

TEST(RunLock, OfAHolderThatWasTakenOverSaysSo) {
  const testing::TemporaryFolder folder;
  const RunLock lock(folder.path());
  lock.check();
  write_claim(folder, claim_of_another_host(0));
  EXPECT_THROW(lock.check(), RunTaken);
}

TEST(Claim, WithoutContentsIsWatchedLikeOneOfAnotherHost) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "claims");
  for (const char* contents : {"", "{\"pid\": \"text\"}", "[1]"}) {
    folder.write("claims/1", contents);
    EXPECT_TRUE(last_claim(folder.path())->working);
    EXPECT_FALSE(last_claim(folder.path())->is_local());
    EXPECT_THROW(RunLock{folder.path()}, RunTaken);
  }
}

TEST(Claim, IsRewrittenAsASignOfLife) {
  const testing::TemporaryFolder folder;
  const RunLock lock(folder.path(), 0, 100ms);
  for (int i = 0; i < 10'000 && last_claim(folder.path())->beat < 2; ++i) {
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_GE(last_claim(folder.path())->beat, 2U);
}

TEST(ClaimWatch, TakesAHolderForDeadOnlyAfterALeaseWithoutASignOfLife) {
  const testing::TemporaryFolder folder;
  ClaimWatch watch;
  const auto look = [&](int beat) {
    write_claim(folder, claim_of_another_host(beat));
    return watch.look(folder.path(), *last_claim(folder.path()));
  };
  EXPECT_EQ(look(7), ClaimWatch::Holder::kUnknown);
  EXPECT_EQ(look(8), ClaimWatch::Holder::kAlive);
  std::this_thread::sleep_for(350ms);
  EXPECT_EQ(look(9), ClaimWatch::Holder::kAlive);  // a sign of life, however late
  std::this_thread::sleep_for(350ms);
  EXPECT_EQ(look(9), ClaimWatch::Holder::kDead);
}

}  // namespace
}  // namespace gradus
