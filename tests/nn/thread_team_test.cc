// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/cpu/thread_team.h"

#include <gtest/gtest.h>

#include "gradus/core/error.h"

namespace gradus {
namespace {

TEST(ThreadTeam, DoesEveryJobOnce) {
  for (const int threads : {1, 2, 5}) {
    ThreadTeam team(threads);
    for (int jobs = 0; jobs < 40; ++jobs) {
      std::vector<std::atomic<int>> done(jobs);
      team.run(jobs, [&](int job) { ++done[job]; });
      for (const auto& count : done) ASSERT_EQ(count, 1);
    }
  }
}

TEST(ThreadTeam, DealsOutSharesOfNeighboursThatStayWithTheirThread) {
  for (const int threads : {1, 2, 5}) {
    ThreadTeam team(threads);
    for (const int jobs : {0, 1, 4, 5, 23}) {
      std::vector<std::thread::id> first(jobs), second(jobs);
      std::vector<int> done(jobs);
      team.run_shares(jobs, [&](int job) { first[job] = std::this_thread::get_id(), ++done[job]; });
      team.run_shares(jobs, [&](int job) { second[job] = std::this_thread::get_id(); });
      EXPECT_EQ(done, std::vector<int>(jobs, 1));
      EXPECT_EQ(first, second);
      int changes = 0;
      for (int job = 1; job < jobs; ++job) changes += first[job] != first[job - 1];
      EXPECT_EQ(changes, std::max(0, std::min(jobs, threads) - 1));
    }
  }
}

TEST(ThreadTeam, ThrowsTheFirstExceptionAgainAndGoesOn) {
  ThreadTeam team(3);
  EXPECT_THROW(team.run(20,
                        [](int job) {
                          if (job == 7) throw InputError("seven");
                        }),
               InputError);
  std::atomic<int> sum = 0;
  team.run(10, [&](int job) { sum += job; });
  EXPECT_EQ(sum, 45);
}

TEST(ThreadTeam, RefusesNoThreads) {
  EXPECT_THROW(ThreadTeam(0), InputError);
}

}  // namespace
}  // namespace gradus
