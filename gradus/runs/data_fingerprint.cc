// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/data_fingerprint.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/files/checksums.h"
#include "gradus/runs/find_runs.h"

namespace gradus {
namespace {

const DataSource* find(const std::vector<DataSource>& sources, const std::string& name) {
  const auto found = std::ranges::find(sources, name, &DataSource::name);
  return found == sources.end() ? nullptr : &*found;
}

}  // namespace

std::vector<DataSource> data_fingerprint(const Curriculum& curriculum) {
  std::vector<DataSource> sources = curriculum.sources();
  const std::vector<std::string> vocabulary = curriculum.vocabulary();
  if (!vocabulary.empty()) {
    sources.push_back({"the vocabulary", sha256(nlohmann::json(vocabulary).dump())});
  }
  return sources;
}

nlohmann::json to_json(const std::vector<DataSource>& sources) {
  nlohmann::json list = nlohmann::json::array();
  for (const DataSource& source : sources) {
    list.push_back({{"name", source.name}, {"sha256", source.sha256}});
  }
  return list;
}

std::vector<DataSource> read_sources(const nlohmann::json& json) try {
  std::vector<DataSource> sources;
  for (const nlohmann::json& entry : json) {
    sources.push_back({entry.at("name").get<std::string>(), entry.at("sha256").get<std::string>()});
  }
  return sources;
} catch (const nlohmann::json::exception& error) {
  throw InputError(std::string("the fingerprint of the data is damaged: ") + error.what());
}

std::string data_changes(const std::vector<DataSource>& stored,
                         const std::vector<DataSource>& now) {
  std::string changes;
  const auto add = [&](const std::string& change) {
    changes += (changes.empty() ? "" : ", ") + change;
  };
  for (const DataSource& before : stored) {
    const DataSource* after = find(now, before.name);
    if (!after) add(before.name + " is missing");
    if (after && after->sha256 != before.sha256) add(before.name + " has changed");
  }
  for (const DataSource& after : now) {
    if (!find(stored, after.name)) add(after.name + " is new");
  }
  if (changes.empty() && stored != now) add("they are in another order");
  return changes;
}

std::string data_changes(const std::filesystem::path& folder, const Curriculum& curriculum) {
  // A run that was killed at its start may have a database without tables.
  const std::optional<std::vector<DataSource>> stored = read_found(folder).run.data;
  return stored ? data_changes(*stored, data_fingerprint(curriculum)) : "";
}

}  // namespace gradus
