// SPDX-License-Identifier: Apache-2.0
// Which run goes to which GPU, on machines that do not exist.
#include "gradus/nn/gpu_pool.h"

#include <deque>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/core/error.h"
#include "gradus/nn/device.h"

namespace gradus {
namespace {

using testing::ElementsAre;

struct FakeGpus final : Gpus {
  explicit FakeGpus(std::vector<std::uint64_t> gigabytes)
      : free(std::move(gigabytes)), gpus(free.size()) {}
  std::string problem() const override { return none; }
  std::vector<Gpu> list() const override { return gpus; }
  std::uint64_t free_memory(int gpu) const override {
    ++questions;
    return free.at(gpu) << 30;
  }

  std::vector<std::uint64_t> free;
  std::vector<Gpu> gpus;
  std::string none;
  mutable int questions = 0;
};

// Takes places and keeps them.
std::vector<int> take(GpuPool& pool, const std::string& device, int count,
                      std::deque<std::shared_ptr<const GpuPlace>>& places) {
  std::vector<int> gpus;
  for (int i = 0; i < count; ++i) {
    places.push_back(pool.take(device));
    gpus.push_back(places.back()->gpu());
  }
  return gpus;
}

std::string refusal(const auto& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Device, NamesTheGpusOrAllOfThem) {
  EXPECT_FALSE(parse_device("cpu").is_cuda);
  EXPECT_TRUE(parse_device("cuda").is_cuda);
  EXPECT_THAT(parse_device("cuda").gpus, ElementsAre());
  EXPECT_THAT(parse_device("cuda:0,2").gpus, ElementsAre(0, 2));
  EXPECT_EQ(parse_device("cuda:10").kind(), "cuda");
  for (const std::string bad : {"", ",", "a", "-1", "1,", "1,,2", "1 2", "1,1", "99999999999"}) {
    EXPECT_EQ(refusal([&] { parse_device("cuda:" + bad); }),
              "device is \"cuda:" + bad +
                  "\", expected different numbers of GPUs after \"cuda:\", as in cuda:0,2");
  }
  EXPECT_EQ(refusal([] { parse_device("cpu:0"); }),
            "unknown device \"cpu:0\"; did you mean \"cpu\"?");
}

TEST(GpuPool, SpreadsRunsEvenlyOverEqualGpus) {
  const FakeGpus gpus({80, 80, 80});
  GpuPool pool(gpus);
  std::deque<std::shared_ptr<const GpuPlace>> places;
  EXPECT_THAT(take(pool, "cuda", 7, places), ElementsAre(0, 1, 2, 0, 1, 2, 0));
  EXPECT_EQ(places.front()->networks(), 3);
  EXPECT_EQ(places.back()->networks(), 3);
  EXPECT_EQ(places[1]->networks(), 2);
  places.erase(places.begin() + 1);
  EXPECT_EQ(pool.take("cuda")->gpu(), 1);
}

// Another process uses half of GPU 0. The most memory per run is, in turn: 140 on 1; 70 on both,
// so the first; 70 on 1; 46.7 on 1; 35 on both.
TEST(GpuPool, GivesAGpuWithLessFreeMemoryFewerRuns) {
  const FakeGpus gpus({70, 140});
  GpuPool pool(gpus);
  std::deque<std::shared_ptr<const GpuPlace>> places;
  EXPECT_THAT(take(pool, "cuda", 5, places), ElementsAre(1, 0, 1, 1, 0));
}

TEST(GpuPool, FillsAGpuWithSixteenRunsAndExceedsThatOnlyIfAllAreFull) {
  const FakeGpus gpus({1000, 10});
  GpuPool pool(gpus);
  std::deque<std::shared_ptr<const GpuPlace>> places;
  EXPECT_EQ(take(pool, "cuda", 16, places), std::vector<int>(16, 0));
  EXPECT_EQ(take(pool, "cuda", 16, places), std::vector<int>(16, 1));
  EXPECT_THAT(take(pool, "cuda", 2, places), ElementsAre(0, 0));
  places.pop_front();
  EXPECT_EQ(pool.take("cuda:1")->networks(), 17);
}

TEST(GpuPool, UsesTheGpusThatAreNamedAndOnlyUsableOnes) {
  FakeGpus gpus({80, 80, 80});
  GpuPool pool(gpus);
  std::deque<std::shared_ptr<const GpuPlace>> places;
  EXPECT_THAT(take(pool, "cuda:2,0", 3, places), ElementsAre(2, 0, 2));
  EXPECT_EQ(pool.take("cuda")->gpu(), 1) << "runs of other devices count";
  gpus.gpus[1].problem = "it is old";
  EXPECT_THAT(pool.candidates("cuda"), ElementsAre(0, 2));
}

TEST(GpuPool, DoesNotStartCudaOnAGpuThatNeedsNoComparison) {
  const FakeGpus gpus({80, 80});
  GpuPool pool(gpus);
  pool.take("cuda:1");
  EXPECT_EQ(gpus.questions, 0);
}

TEST(GpuPool, RefusesGpusThatAreMissingOrUnusable) {
  FakeGpus gpus({80, 80});
  const GpuPool pool(gpus);
  const auto message = [&](const std::string& device) {
    return refusal([&] { pool.candidates(device); });
  };
  EXPECT_EQ(
      message("cuda:0,2"),
      "device is \"cuda:0,2\", but there is no GPU 2: this machine has 2 GPUs, numbered from 0");
  gpus.gpus[1].problem = "it is old";
  EXPECT_EQ(message("cuda:1"), "device is \"cuda:1\", but GPU 1 cannot be used: it is old");
  gpus.gpus[0].problem = "it is older";
  EXPECT_EQ(message("cuda"), "device is \"cuda\", but GPU 0 cannot be used: it is older");
  gpus.none = "this machine has no GPU";
  EXPECT_EQ(message("cuda"), "device is \"cuda\", but this machine has no GPU; use device \"cpu\"");
}

TEST(GpuPool, CountsRunsThatSeveralThreadsStart) {
  const FakeGpus gpus({80, 80});
  GpuPool pool(gpus);
  std::vector<std::deque<std::shared_ptr<const GpuPlace>>> places(4);
  {
    std::vector<std::jthread> threads;
    for (auto& own : places) threads.emplace_back([&] { take(pool, "cuda", 8, own); });
  }
  for (const auto& own : places) EXPECT_EQ(own.front()->networks(), 16);
}

}  // namespace
}  // namespace gradus
