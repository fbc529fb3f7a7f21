// SPDX-License-Identifier: Apache-2.0
#include "gradus/core/curriculum.h"

#include <ostream>
#include <utility>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"

namespace gradus {

namespace {

nlohmann::json paper_json(const CurriculumDescription& description) {
  nlohmann::json figures = nlohmann::json::object();
  for (const auto& [kind, figure] : description.paper_figures) {
    figures[kind] = {{"number", figure.number}, {"steps", figure.steps}};
  }
  return {{"figures", std::move(figures)}, {"settings", description.paper_settings}};
}

// get() would also convert other numbers, with undefined results for large ones.
int read_whole(const nlohmann::json& value) {
  const bool whole = value.is_number_integer();
  if (whole && std::in_range<int>(value.get<std::int64_t>())) return value.get<int>();
  throw InputError("description of a curriculum is damaged: " + value.dump() +
                   " is not a whole number in range");
}

void read_paper(const nlohmann::json& json, CurriculumDescription& description) {
  for (const auto& [kind, figure] : json.at("figures").items()) {
    description.paper_figures[kind] = {read_whole(figure.at("number")),
                                       figure.at("steps").get<double>()};
  }
  json.at("settings").get_to(description.paper_settings);
}

}  // namespace

nlohmann::json to_json(const CurriculumDescription& description) {
  nlohmann::json axes = nlohmann::json::array();
  for (const TaskAxis& axis : description.axes) {
    axes.push_back({{"name", axis.name}, {"values", axis.values}});
  }
  nlohmann::json json = {{"title", description.title},     {"noun", description.noun},
                         {"axes", std::move(axes)},        {"by_task", description.by_task},
                         {"measure", description.measure}, {"paper", paper_json(description)}};
  if (description.solved) json["solved"] = *description.solved;
  if (!description.is_solvable) json["is_solvable"] = false;
  return json;
}

CurriculumDescription read_description(const nlohmann::json& json) try {
  CurriculumDescription description;
  json.at("title").get_to(description.title);
  json.at("noun").get_to(description.noun);
  for (const nlohmann::json& axis : json.at("axes")) {
    TaskAxis& read = description.axes.emplace_back();
    axis.at("name").get_to(read.name);
    for (const nlohmann::json& value : axis.at("values")) read.values.push_back(read_whole(value));
  }
  json.at("by_task").get_to(description.by_task);
  json.at("measure").get_to(description.measure);
  read_paper(json.at("paper"), description);
  if (json.contains("solved")) description.solved = json["solved"].get<double>();
  description.is_solvable = json.value("is_solvable", true);
  return description;
} catch (const nlohmann::json::exception& error) {
  throw InputError(std::string("description of a curriculum is damaged: ") + error.what());
}

void Curriculum::write_samples(int task, std::int64_t count, std::uint64_t seed,
                               std::ostream& out) const {
  for (std::int64_t i = 0; i < count; ++i) {
    Random random(seed, Purpose::kSample, static_cast<std::uint64_t>(i),
                  static_cast<std::uint32_t>(task));
    if (i > 0) out << separator();
    out << describe(task, random);
  }
  out << '\n';
}

int Curriculum::find_task(const std::string& name) const {
  return find_known("task", name, tasks());
}

}  // namespace gradus
