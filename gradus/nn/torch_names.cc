// SPDX-License-Identifier: Apache-2.0
#include "gradus/nn/torch_names.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

#include "gradus/core/error.h"

namespace gradus {
namespace {

constexpr std::string_view kMean = "mean.";

std::string_view without_prefix(std::string_view name) {
  if (name.starts_with(kMean)) name.remove_prefix(kMean.size());
  return name;
}

template <typename Real>
std::vector<Real> transposed(const std::vector<Real>& from, std::size_t rows, std::size_t columns) {
  std::vector<Real> to(from.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
  }
  return to;
}

Tensor transposed(std::string name, const Tensor& from) {
  const auto rows = static_cast<std::size_t>(from.shape[0]);
  const auto columns = static_cast<std::size_t>(from.shape[1]);
  Tensor to{std::move(name), {from.shape[1], from.shape[0]}, {}};
  std::visit([&](const auto& values) { to.values = transposed(values, rows, columns); },
             from.values);
  return to;
}

Tensor zeros_like(std::string name, const Tensor& other) {
  Tensor made{std::move(name), other.shape, other.values};
  std::visit([](auto& values) { std::ranges::fill(values, 0); }, made.values);
  return made;
}

// Finds tensors by name, checks their shapes and counts them.
class TorchReader {
 public:
  explicit TorchReader(std::span<const Tensor> tensors) : tensors_(tensors) {}

  bool has(const std::string& name) const { return find(name) != tensors_.end(); }

  Tensor matrix(const std::string& name, std::string to) {
    const Tensor& tensor = get(name, 2);
    return transposed(std::move(to), tensor);
  }

  Tensor bias(const std::string& name, std::string to) {
    const Tensor& tensor = get(name, 1);
    return {std::move(to), {1, tensor.shape[0]}, tensor.values};
  }

  void check_zero(const std::string& name) {
    const bool zero = std::visit(
        [](const auto& values) {
          return std::ranges::all_of(values, [](auto value) { return value == 0; });
        },
        get(name, 1).values);
    if (!zero) throw InputError(name + " is not zero: the engine's networks have only one bias");
  }

  void check_all_read() const {
    if (read_ == tensors_.size()) return;
    throw InputError("expected the tensors of an LSTM and its output, found " +
                     std::to_string(tensors_.size() - read_) + " others");
  }

 private:
  std::span<const Tensor>::iterator find(const std::string& name) const {
    return std::ranges::find(tensors_, name, &Tensor::name);
  }

  const Tensor& get(const std::string& name, std::size_t dimensions) {
    const auto found = find(name);
    if (found == tensors_.end()) throw InputError("there is no tensor " + name);
    if (found->shape.size() != dimensions) {
      throw InputError(name + " has " + std::to_string(found->shape.size()) +
                       " dimensions, expected " + std::to_string(dimensions));
    }
    ++read_;
    return *found;
  }

  std::span<const Tensor> tensors_;
  std::size_t read_ = 0;
};

}  // namespace

std::size_t network_size(std::span<const Tensor> learner) {
  const auto end = std::ranges::find_if_not(learner, [](const Tensor& tensor) {
    const std::string_view name = without_prefix(tensor.name);
    return name.starts_with("lstm") || name.starts_with("output.");
  });
  return static_cast<std::size_t>(end - learner.begin());
}

std::vector<Tensor> to_torch(std::span<const Tensor> network) {
  std::vector<Tensor> tensors;
  for (const Tensor& tensor : network) {
    const std::string name(without_prefix(tensor.name));
    const std::size_t dot = name.find('.');
    const std::string kind = name.substr(dot + 1);
    const bool output = name.starts_with("output");
    const std::string layer = output ? "" : "_l" + name.substr(4, dot - 4);
    if (kind != "bias") {
      const std::string torch = kind == "input" ? "weight_ih" : "weight_hh";
      tensors.push_back(transposed(output ? name : torch + layer, tensor));
      continue;
    }
    tensors.push_back({output ? name : "bias_ih" + layer, {tensor.shape[1]}, tensor.values});
    if (!output) tensors.push_back(zeros_like("bias_hh" + layer, tensors.back()));
  }
  return tensors;
}

std::vector<Tensor> from_torch(std::span<const Tensor> tensors) {
  TorchReader reader(tensors);
  std::vector<Tensor> network;
  for (int layer = 0; layer == 0 || reader.has("weight_ih_l" + std::to_string(layer)); ++layer) {
    const std::string from = "_l" + std::to_string(layer);
    const std::string to = "lstm" + std::to_string(layer);
    network.push_back(reader.matrix("weight_ih" + from, to + ".input"));
    network.push_back(reader.matrix("weight_hh" + from, to + ".recurrent"));
    network.push_back(reader.bias("bias_ih" + from, to + ".bias"));
    reader.check_zero("bias_hh" + from);
  }
  network.push_back(reader.matrix("output.weight", "output.weight"));
  network.push_back(reader.bias("output.bias", "output.bias"));
  reader.check_all_read();
  return network;
}

}  // namespace gradus
