// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/run_lock.h"

#include <memory>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gradus/core/error.h"
#include "tests/temporary_folder.h"

namespace gradus {
namespace {

TEST(RunLock, IsHeldOnceAndByOneUntilItGoes) {
  const testing::TemporaryFolder folder;
  EXPECT_FALSE(RunLock::is_held(folder.path()));
  auto lock = std::make_unique<RunLock>(folder.path());
  EXPECT_TRUE(RunLock::is_held(folder.path()));
  EXPECT_THROW(RunLock{folder.path()}, InputError);  // even by the same process
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
  EXPECT_FALSE(RunLock::is_held(folder.path()));
  const RunLock mine(folder.path());
}

}  // namespace
}  // namespace gradus
