#include "gradus/bandit/make_syllabus.h"

#include <unordered_set>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/core/state.h"

namespace gradus {
namespace {

void check_tasks(const std::vector<std::string>& tasks) {
  if (tasks.empty()) throw InputError("tasks is empty, expected at least one name");
  std::unordered_set<std::string> seen;
  for (const std::string& task : tasks) {
    if (!seen.insert(task).second) {
      throw InputError("task \"" + task + "\" is listed twice, expected distinct names");
    }
  }
}

void check_rounds(std::uint64_t rounds, const SyllabusSettings& settings) {
  if (rounds < 1) throw InputError("rounds is 0, expected 1 or more");
  if (!policy_reads(settings.policy, "eta")) {
    throw InputError("policy " + settings.policy + " takes no rounds");
  }
  if (const std::optional<double> eta = settings.policy_settings.eta) {
    throw InputError("rounds is " + std::to_string(rounds) + " and eta " + to_text(*eta) +
                     ", expected only one of them: rounds only applies to an automatic eta");
  }
}

std::uint64_t read_seed(const nlohmann::json& seed) {
  if (!seed.is_number_unsigned()) {
    throw InputError("saved syllabus has the seed " + seed.dump() +
                     ", expected a whole number from 0 to 2^64 - 1");
  }
  return seed.get<std::uint64_t>();
}

}  // namespace

Syllabus make_syllabus(std::vector<std::string> tasks, const SyllabusSettings& settings) {
  check_tasks(tasks);
  const int size = static_cast<int>(tasks.size());
  PolicySettings policy = settings.policy_settings;
  if (settings.rounds) {
    check_rounds(*settings.rounds, settings);
    policy = for_rounds(policy, size, *settings.rounds);
  }
  return {std::move(tasks), make_policy(settings.policy, size, policy),
          make_quantile_scale(settings.reward_scale, settings.seed), settings.seed};
}

Syllabus read_syllabus(const nlohmann::json& saved) try {
  const nlohmann::json& policy = saved.at("policy");
  const nlohmann::json& scale = saved.at("scale").at("settings");
  Syllabus syllabus =
      make_syllabus(saved.at("tasks").get<std::vector<std::string>>(),
                    {.policy = policy.at("name").get<std::string>(),
                     .policy_settings = read_policy_settings(policy.at("settings")),
                     .reward_scale = {scale.at("low").get<double>(), scale.at("high").get<double>(),
                                      static_cast<std::int64_t>(read_count(scale, "reservoir"))},
                     .seed = read_seed(saved.at("seed"))});
  syllabus.restore(saved);
  return syllabus;
} catch (const nlohmann::json::exception& error) {
  throw InputError(std::string("saved syllabus is damaged: ") + error.what());
}

}  // namespace gradus
