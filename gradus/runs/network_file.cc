// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/network_file.h"

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"
#include "gradus/nn/torch_names.h"
#include "gradus/runs/safetensors.h"

namespace gradus {
namespace {

using nlohmann::json;

constexpr const char* kSoftmax = "softmax";
constexpr const char* kSigmoid = "sigmoid";

json to_json(const DataSpec& data) {
  const InputSpec& input = data.input;
  const char* kind = data.output.kind == OutputKind::kSoftmax ? kSoftmax : kSigmoid;
  return {{"input", {{"tokens", input.tokens}, {"bits", input.bits}, {"reals", input.reals}}},
          {"output", {{"kind", kind}, {"width", data.output.width}}}};
}

constexpr int kMostTokens = 100'000'000;
constexpr int kMostBits = 32;

int read_width(const json& object, const char* key, int most) {
  const auto width = object.at(key).get<std::int64_t>();
  if (width >= 0 && width <= most) return static_cast<int>(width);
  throw InputError(std::string(key) + " is " + std::to_string(width) + ", expected 0 to " +
                   std::to_string(most));
}

DataSpec read_data(const json& data) {
  const json& input = data.at("input");
  const json& output = data.at("output");
  const auto kind = output.at("kind").get<std::string>();
  if (kind != kSoftmax && kind != kSigmoid) {
    throw InputError("the output is \"" + kind + "\", expected \"" + kSoftmax + "\" or \"" +
                     kSigmoid + "\"");
  }
  const bool softmax = kind == kSoftmax;
  return {{read_width(input, "tokens", kMostTokens), read_width(input, "bits", kMostBits),
           read_width(input, "reals", kMostTokens)},
          {softmax ? OutputKind::kSoftmax : OutputKind::kSigmoid,
           read_width(output, "width", softmax ? kMostTokens : kMostBits)}};
}

}  // namespace

std::string to_network_file(const SavedNetwork& network) {
  return to_safetensors(to_torch(network.tensors),
                        {{"writer", "gradus"},
                         {"data", to_json(network.data).dump()},
                         {"vocabulary", json(network.vocabulary).dump()}});
}

SavedNetwork read_network_file(std::string_view bytes) try {
  SavedNetwork network;
  std::map<std::string, std::string> facts;
  network.tensors = from_torch(from_safetensors(bytes, &facts));
  network.data = read_data(json::parse(facts["data"]));
  json::parse(facts["vocabulary"]).get_to(network.vocabulary);
  const std::size_t size = network.vocabulary.size();
  const auto tokens = static_cast<std::size_t>(network.data.input.tokens);
  const auto outputs = static_cast<std::size_t>(network.data.output.width);
  if (size != 0 && (size != tokens || size != outputs)) {
    throw InputError("the vocabulary has " + std::to_string(size) +
                     " tokens, but the network has " + std::to_string(tokens) + " and " +
                     std::to_string(outputs) + " outputs");
  }
  return network;
} catch (const json::exception& error) {
  throw InputError(std::string("the data shape or the vocabulary is damaged: ") + error.what());
}

}  // namespace gradus
