// SPDX-License-Identifier: Apache-2.0
// The networks of stored runs.

#include <filesystem>
#include <utility>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "gradus/core/error.h"
#include "gradus/nn/torch_names.h"
#include "gradus/runs/trained_run.h"
#include "python/bindings/bindings.h"

namespace py = pybind11;

namespace gradus::python {
namespace {

TrainedRun load(const std::filesystem::path& folder, const std::string& checkpoint) {
  if (!checkpoint.empty() && checkpoint != "best" && checkpoint != "last") {
    throw InputError("checkpoint is \"" + checkpoint + "\", expected \"best\" or \"last\"");
  }
  return {folder, checkpoint, 1, [](const std::string&) {}};
}

py::bytes bytes_of(const Tensor& tensor) {
  const auto& values = std::get<std::vector<float>>(tensor.values);
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

py::dict read_network(const std::filesystem::path& folder, const std::string& checkpoint) {
  TrainedRun run = load(folder, checkpoint);
  const DataSpec& data = run.saved().data;
  py::dict tensors;
  for (const Tensor& tensor : to_torch(run.saved().tensors)) {
    tensors[py::str(tensor.name)] = py::make_tuple(tensor.shape, bytes_of(tensor));
  }
  py::dict dict;
  dict["checkpoint"] = run.is_best() ? "best" : "last";
  dict["steps"] = run.steps();
  dict["cells"] = run.network().spec().cells;
  dict["layers"] = run.network().spec().layers;
  dict["tokens"] = data.input.tokens;
  dict["bits"] = data.input.bits;
  dict["reals"] = data.input.reals;
  dict["outputs"] = data.output.width;
  dict["softmax"] = data.output.kind == OutputKind::kSoftmax;
  dict["vocabulary"] = run.saved().vocabulary;
  dict["tensors"] = tensors;
  return dict;
}

// The logits of one sequence, by the engine's own code.
std::vector<std::vector<float>> network_outputs(const std::filesystem::path& folder,
                                                const std::string& checkpoint,
                                                const Sequence& sequence) {
  TrainedRun run = load(folder, checkpoint);
  Network& network = run.network();
  const Batch batch = make_batch({&sequence, 1}, network.spec().data);
  std::vector<std::vector<float>> outputs;
  network.start(1);
  for (int t = 0; t < batch.steps; ++t) {
    const std::span<const float> logits = network.step(batch, t);
    outputs.emplace_back(logits.begin(), logits.end());
  }
  return outputs;
}

}  // namespace

void add_networks(py::module_& module) {
  module.def("read_network", &read_network, py::arg("folder"), py::arg("checkpoint"));
  module.def(
      "network_outputs",
      [](const std::filesystem::path& folder, const std::string& checkpoint,
         std::vector<std::int32_t> tokens, std::vector<std::uint32_t> bits,
         std::vector<float> reals, std::size_t steps) {
        Sequence sequence;
        sequence.tokens = std::move(tokens);
        sequence.bits = std::move(bits);
        sequence.reals = std::move(reals);
        sequence.scored.assign(steps, 1);
        sequence.targets.assign(steps, 0);
        return network_outputs(folder, checkpoint, sequence);
      },
      py::arg("folder"), py::arg("checkpoint"), py::arg("tokens"), py::arg("bits"),
      py::arg("reals"), py::arg("steps"),
      "The logits of one sequence, computed by the engine. A field that the network does not read "
      "is empty.");
}

}  // namespace gradus::python
