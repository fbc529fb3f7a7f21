// SPDX-License-Identifier: Apache-2.0
#include "gradus/runs/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include <nlohmann/json.hpp>

#include "gradus/core/error.h"

namespace gradus {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little,
              "tensors are written in native byte order");

[[noreturn]] void refuse(const std::string& what) {
  throw InputError("damaged safetensors file: " + what);
}

std::string_view bytes_of(const Tensor& tensor) {
  return std::visit(
      [](const auto& values) {
        return std::string_view(reinterpret_cast<const char*>(values.data()),
                                values.size() * sizeof(values[0]));
      },
      tensor.values);
}

json read_header(std::string_view bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) refuse("the file ends within the header's length");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length) refuse("the file ends within the header");
  json header = json::parse(bytes.substr(sizeof length, length), nullptr, false);
  if (!header.is_object()) refuse("the header is not a JSON object");
  return header;
}

template <typename Real>
std::vector<Real> numbers(std::string_view bytes) {
  std::vector<Real> values(bytes.size() / sizeof(Real));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

bool all_counts(const json& list) {
  return std::ranges::all_of(list, [](const json& entry) { return entry.is_number_unsigned(); });
}

std::map<std::string, std::string> read_facts(const json& entry) try {
  return entry.get<std::map<std::string, std::string>>();
} catch (const json::exception&) {
  refuse("the __metadata__ are not strings");
}

// Reads one entry of the header. Sets `place` to the begin and end of its bytes, counted from the
// end of the header.
Tensor read_tensor(const std::string& name, const json& entry, std::string_view data,
                   std::pair<std::uint64_t, std::uint64_t>& place) {
  Tensor tensor;
  std::string type;
  try {
    type = entry.at("dtype").get<std::string>();
    if (!all_counts(entry.at("shape")) || !all_counts(entry.at("data_offsets"))) {
      refuse("shape or data_offsets of \"" + name + "\" are not whole numbers, 0 or more");
    }
    tensor.shape = entry.at("shape").get<std::vector<std::int64_t>>();
    place = entry.at("data_offsets").get<std::pair<std::uint64_t, std::uint64_t>>();
  } catch (const json::exception&) {
    refuse("the entry of \"" + name + "\" lacks dtype, shape or data_offsets");
  }
  tensor.name = name;
  if (type != "F32" && type != "F64")
    refuse("\"" + name + "\" has type " + type + ", expected F32 or F64");
  std::uint64_t size = type == "F32" ? sizeof(float) : sizeof(double);
  for (const std::int64_t length : tensor.shape) {
    if (length < 0 || (length > 0 && size > data.size() / static_cast<std::uint64_t>(length))) {
      refuse("the shape of \"" + name + "\" is larger than the file");
    }
    size *= static_cast<std::uint64_t>(length);
  }
  const auto [first, last] = place;
  if (first > last || last > data.size() || last - first != size) {
    refuse("the data_offsets of \"" + name + "\" do not match its shape and the file");
  }
  const std::string_view bytes = data.substr(first, size);
  if (type == "F32") {
    tensor.values = numbers<float>(bytes);
  } else {
    tensor.values = numbers<double>(bytes);
  }
  return tensor;
}

}  // namespace

std::string to_safetensors(const std::vector<Tensor>& tensors,
                           const std::map<std::string, std::string>& facts) {
  json header = json::object();
  if (!facts.empty()) header["__metadata__"] = facts;
  std::uint64_t offset = 0;
  for (const Tensor& tensor : tensors) {
    const std::uint64_t end = offset + bytes_of(tensor).size();
    const bool single = std::holds_alternative<std::vector<float>>(tensor.values);
    header[tensor.name] = {{"dtype", single ? "F32" : "F64"},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // pad, so that the tensor data are aligned
  const std::uint64_t length = text.size();
  std::string file(reinterpret_cast<const char*>(&length), sizeof length);
  file.reserve(sizeof length + length + offset);
  file += text;
  for (const Tensor& tensor : tensors) file += bytes_of(tensor);
  return file;
}

std::vector<Tensor> from_safetensors(std::string_view bytes,
                                     std::map<std::string, std::string>* facts) {
  const json header = read_header(bytes);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  const std::string_view data = bytes.substr(sizeof length + length);
  std::vector<std::pair<std::pair<std::uint64_t, std::uint64_t>, Tensor>> placed;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      if (facts) *facts = read_facts(entry);
      continue;
    }
    std::pair<std::uint64_t, std::uint64_t> place;
    Tensor tensor = read_tensor(name, entry, data, place);
    placed.emplace_back(place, std::move(tensor));
  }
  std::ranges::sort(placed, {}, [](const auto& entry) { return entry.first; });
  std::vector<Tensor> tensors;
  std::uint64_t end = 0;
  for (auto& [place, tensor] : placed) {
    if (place.first != end) refuse("there is a gap or an overlap before \"" + tensor.name + "\"");
    end = place.second;
    tensors.push_back(std::move(tensor));
  }
  if (end != data.size()) refuse("there are bytes after the last tensor");
  return tensors;
}

}  // namespace gradus
