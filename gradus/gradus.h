// SPDX-License-Identifier: Apache-2.0
#pragma once

// The bandit for a training loop of your own. Link gradus::bandit.
//
//   gradus::Syllabus syllabus = gradus::make_syllabus({"easy", "hard"}, {.rounds = 1000});
//   for (int round = 0; round < 1000; ++round) {
//     const gradus::Ticket ticket = syllabus.draw();
//     const Batch held_out = your_held_out_batch(ticket.task);
//     const double before = your_loss(held_out);
//     const double cost = your_training_step(ticket.task);
//     syllabus.reward(ticket, before - your_loss(held_out), cost);
//   }
//
// The reward is progress, here the drop in loss on held-out data, divided by the cost of the batch;
// both may be in any unit. On the training batch itself, noise would look like progress.
// make_gain() makes other signals: Gain::needs() says what to measure around a step, and
// Gain::progress() turns the measurements into progress. If you implement Learner and
// Curriculum, Teacher runs the whole loop. examples/cpp has a program for each way.
//
// Syllabus::save() and read_syllabus() store a syllabus as JSON and continue exactly from it. Wrong
// input throws gradus::InputError.

#include "gradus/bandit/make_syllabus.h"
#include "gradus/core/batch.h"
#include "gradus/core/batch_source.h"
#include "gradus/core/curriculum.h"
#include "gradus/core/error.h"
#include "gradus/core/gain.h"
#include "gradus/core/learner.h"
#include "gradus/core/random.h"
#include "gradus/core/syllabus.h"
#include "gradus/core/teacher.h"
#include "gradus/core/version.h"
#include "gradus/gains/gains.h"
#include "gradus/policies/policies.h"
#include "gradus/rewards/quantile_scale.h"
