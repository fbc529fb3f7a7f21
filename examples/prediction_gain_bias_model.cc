// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "examples/prediction_gain_bias.h"
#include "gradus/gains/gains.h"

namespace gradus::bias {
namespace {

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1];
}

// a + factor b.
Vector add(const Vector& a, double factor, const Vector& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1]};
}

double quadratic_loss(const Example& e, const Vector& theta) {
  const Vector offset = add(theta, -1, e.x);
  return dot(offset, offset) / 2;
}
Vector quadratic_gradient(const Example& e, const Vector& theta) {
  return add(theta, -1, e.x);
}

double logistic_loss(const Example& e, const Vector& theta) {
  return std::log1p(std::exp(-e.label * dot(theta, e.x)));
}
Vector logistic_gradient(const Example& e, const Vector& theta) {
  const double wrong = 1 / (1 + std::exp(e.label * dot(theta, e.x)));
  return add({0, 0}, -e.label * wrong, e.x);
}

double expected_loss(const Model& model, const Task& task, const Vector& theta) {
  double loss = 0;
  for (const Example& x : task) loss += x.probability * model.loss(x, theta);
  return loss;
}

// Mean and variance of the gradient, from their definitions.
void expect_gradient(const Model& model, const Task& task, const Vector& theta,
                     Expectations& expected) {
  Vector mean = {0, 0};
  for (const Example& x : task) mean = add(mean, x.probability, model.gradient(x, theta));
  expected.squared_mean = dot(mean, mean);
  for (const Example& x : task) {
    const Vector offset = add(model.gradient(x, theta), -1, mean);
    expected.variance += x.probability * dot(offset, offset);
  }
}

// The measurements of a learner around the step on x, with `other` as x'.
Measurements measure(const Model& model, const Example& x, const Example& other,
                     const Vector& theta, const Vector& after) {
  Measurements measured;
  measured.loss_before = model.loss(x, theta);
  measured.loss_after = model.loss(x, after);
  measured.probe_before = model.loss(other, theta);
  measured.probe_after = model.loss(other, after);
  return measured;
}

}  // namespace

Model quadratic_model() {
  return {quadratic_loss, quadratic_gradient};
}

Model logistic_model() {
  return {logistic_loss, logistic_gradient};
}

Expectations expect(const Model& model, const Task& task, const Vector& theta, double alpha) {
  const auto pg = make_gain("pg");
  const auto spg = make_gain("spg");
  Expectations expected;
  expect_gradient(model, task, theta, expected);
  const double loss = expected_loss(model, task, theta);
  double pg_squares = 0, spg_squares = 0;
  for (const Example& x : task) {
    const Vector after = add(theta, -alpha, model.gradient(x, theta));
    expected.progress += x.probability * (loss - expected_loss(model, task, after));
    for (const Example& other : task) {
      const Measurements measured = measure(model, x, other, theta, after);
      const double weight = x.probability * other.probability;
      expected.prediction_gain += weight * pg->progress("", measured);
      expected.self_gain += weight * spg->progress("", measured);
      pg_squares += weight * std::pow(pg->progress("", measured), 2);
      spg_squares += weight * std::pow(spg->progress("", measured), 2);
    }
  }
  expected.prediction_spread = std::sqrt(pg_squares - std::pow(expected.prediction_gain, 2));
  expected.self_spread = std::sqrt(spg_squares - std::pow(expected.self_gain, 2));
  return expected;
}

}  // namespace gradus::bias
