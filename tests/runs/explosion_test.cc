// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/explosion.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradus {
namespace {

using ::testing::HasSubstr;

// Guessing one of 20 words costs ln 20 = 3.00 nats; guessing 8 bits costs 8 ln 2 = 5.55 nats.
constexpr OutputSpec kWords{OutputKind::kSoftmax, 20};
constexpr OutputSpec kBits{OutputKind::kSigmoid, 8};

Metrics with(double Metrics::*field, double value) {
  Metrics metrics;
  metrics.rounds = 1;
  metrics.training_loss = 3;
  metrics.*field = value;
  return metrics;
}

TEST(Explosion, IsALossFarAboveThatOfGuessing) {
  EXPECT_EQ(explosion(with(&Metrics::training_loss, 299), kWords), "");
  EXPECT_EQ(explosion(with(&Metrics::training_loss, 301), kBits), "");
  EXPECT_THAT(explosion(with(&Metrics::training_loss, 301), kWords),
              HasSubstr("the training loss is 301 nats per output, while guessing gives 3;"));
  EXPECT_THAT(explosion(with(&Metrics::target_loss, 1e12), kBits),
              HasSubstr("the target loss is 1e+12 nats per output, while guessing gives 5.55;"));
  EXPECT_THAT(explosion(with(&Metrics::mean_loss, INFINITY), kBits),
              HasSubstr("the mean loss is inf nats"));
}

TEST(Explosion, IsATrainingLossThatIsNoNumberOnceThereIsOne) {
  EXPECT_EQ(explosion(Metrics(), kWords), "");
  EXPECT_THAT(explosion(with(&Metrics::training_loss, NAN), kWords),
              HasSubstr("the training loss is nan"));
}

}  // namespace
}  // namespace gradus
