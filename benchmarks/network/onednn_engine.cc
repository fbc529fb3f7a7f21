// SPDX-License-Identifier: Apache-2.0
// The LSTM alone, with oneDNN's training primitives: forward, backward and, with prediction gain,
// an inference pass. Inputs are dense, and there is no output layer, loss or optimiser: less work
// than a whole update. OpenMP takes the number of threads from the environment.

#include <memory>
#include <unordered_map>
#include <vector>

#include <dnnl.hpp>

#include "benchmarks/network/engine.h"

namespace gradus::benchmarks {
namespace {

using Memory = dnnl::memory;
using Tag = Memory::format_tag;

Memory::desc any(const Memory::dims& dims) {
  return {dims, Memory::data_type::f32, Tag::any};
}

Memory::desc plain(const Memory::dims& dims, Tag tag) {
  return {dims, Memory::data_type::f32, tag};
}

// One layer at a time, because the first may be narrower than the others.
class Layer {
 public:
  Layer(const dnnl::engine& engine, const dnnl::stream& stream, int t, int b, int inputs, int h,
        bool inference)
      : engine_(engine), stream_(stream) {
    using dnnl::prop_kind;
    const Memory::desc source = plain({t, b, inputs}, Tag::tnc);
    const Memory::desc hidden = plain({t, b, h}, Tag::tnc);
    const Memory::desc state = plain({1, 1, b, h}, Tag::ldnc);
    const Memory::desc bias = plain({1, 1, 4, h}, Tag::ldgo);
    const auto direction = dnnl::rnn_direction::unidirectional_left2right;
    const auto describe = [&](prop_kind kind) {
      return dnnl::lstm_forward::desc(kind, direction, source, state, state,
                                      any({1, 1, inputs, 4, h}), any({1, 1, h, 4, h}), bias, hidden,
                                      state, state);
    };
    const dnnl::lstm_forward::primitive_desc training(describe(prop_kind::forward_training),
                                                      engine);
    const dnnl::lstm_backward::primitive_desc backward(
        dnnl::lstm_backward::desc(prop_kind::backward, direction, source, state, state,
                                  any({1, 1, inputs, 4, h}), any({1, 1, h, 4, h}), bias, hidden,
                                  state, state, source, state, state, any({1, 1, inputs, 4, h}),
                                  any({1, 1, h, 4, h}), bias, hidden, state, state),
        engine, training);
    plain_layer_ = make(plain({1, 1, inputs, 4, h}, Tag::ldigo));
    plain_iteration_ = make(plain({1, 1, h, 4, h}, Tag::ldigo));
    add(training, dnnl::lstm_forward(training), training.workspace_desc());
    add_backward(backward, dnnl::lstm_backward(backward));
    if (!inference) return;
    const dnnl::lstm_forward::primitive_desc again(describe(prop_kind::forward_inference), engine);
    add(again, dnnl::lstm_forward(again), {});
  }

  void run(std::size_t pass) {
    for (Reorder& reorder : passes_[pass].reorders) {
      reorder.primitive.execute(stream_, reorder.from, reorder.to);
    }
    passes_[pass].primitive.execute(stream_, passes_[pass].arguments);
  }

 private:
  struct Reorder {
    dnnl::reorder primitive;
    Memory from;
    Memory to;
  };
  struct Pass {
    dnnl::primitive primitive;
    std::unordered_map<int, Memory> arguments;
    std::vector<Reorder> reorders;  // weights change in every update, so every pass packs them
  };

  Memory make(const Memory::desc& desc) const {
    Memory memory(desc, engine_);
    auto* values = static_cast<float*>(memory.get_data_handle());
    for (std::size_t i = 0; i < desc.get_size() / sizeof(float); ++i) {
      values[i] = 0.01f * static_cast<float>(static_cast<int>(i * 7919 % 41) - 20);
    }
    return memory;
  }

  void pack(Pass& pass, int argument, const Memory& from, const Memory::desc& to) const {
    const Memory packed(to, engine_);
    pass.reorders.push_back({dnnl::reorder(from, packed), from, packed});
    pass.arguments[argument] = packed;
  }

  template <typename Description>
  void add(const Description& description, const dnnl::primitive& primitive,
           const Memory::desc& workspace) {
    Pass pass{primitive, {}, {}};
    auto& arguments = pass.arguments;
    arguments[DNNL_ARG_SRC_LAYER] = make(description.src_layer_desc());
    arguments[DNNL_ARG_SRC_ITER] = make(description.src_iter_desc());
    arguments[DNNL_ARG_SRC_ITER_C] = make(description.src_iter_c_desc());
    arguments[DNNL_ARG_BIAS] = make(description.bias_desc());
    arguments[DNNL_ARG_DST_LAYER] = make(description.dst_layer_desc());
    arguments[DNNL_ARG_DST_ITER] = make(description.dst_iter_desc());
    arguments[DNNL_ARG_DST_ITER_C] = make(description.dst_iter_c_desc());
    pack(pass, DNNL_ARG_WEIGHTS_LAYER, plain_layer_, description.weights_layer_desc());
    pack(pass, DNNL_ARG_WEIGHTS_ITER, plain_iteration_, description.weights_iter_desc());
    if (workspace.get_size() > 0) arguments[DNNL_ARG_WORKSPACE] = Memory(workspace, engine_);
    passes_.push_back(std::move(pass));
  }

  void add_backward(const dnnl::lstm_backward::primitive_desc& description,
                    const dnnl::primitive& primitive) {
    Pass pass{primitive, passes_[0].arguments, {}};
    auto& arguments = pass.arguments;
    pack(pass, DNNL_ARG_WEIGHTS_LAYER, plain_layer_, description.weights_layer_desc());
    pack(pass, DNNL_ARG_WEIGHTS_ITER, plain_iteration_, description.weights_iter_desc());
    arguments[DNNL_ARG_DIFF_SRC_LAYER] = make(description.diff_src_layer_desc());
    arguments[DNNL_ARG_DIFF_SRC_ITER] = make(description.diff_src_iter_desc());
    arguments[DNNL_ARG_DIFF_SRC_ITER_C] = make(description.diff_src_iter_c_desc());
    arguments[DNNL_ARG_DIFF_WEIGHTS_LAYER] = make(description.diff_weights_layer_desc());
    arguments[DNNL_ARG_DIFF_WEIGHTS_ITER] = make(description.diff_weights_iter_desc());
    arguments[DNNL_ARG_DIFF_BIAS] = make(description.diff_bias_desc());
    arguments[DNNL_ARG_DIFF_DST_LAYER] = make(description.diff_dst_layer_desc());
    arguments[DNNL_ARG_DIFF_DST_ITER] = make(description.diff_dst_iter_desc());
    arguments[DNNL_ARG_DIFF_DST_ITER_C] = make(description.diff_dst_iter_c_desc());
    passes_.push_back(std::move(pass));
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  Memory plain_layer_;
  Memory plain_iteration_;
  std::vector<Pass> passes_;  // training, backward, inference
};

class OneDnnEngine final : public Engine {
 public:
  explicit OneDnnEngine(const Case& c)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_), gain_(c.prediction_gain) {
    for (int l = 0; l < c.network.layers; ++l) {
      const int inputs = l == 0 ? c.network.data.input.width() : c.network.cells;
      layers_.emplace_back(engine_, stream_, c.steps, c.sequences, inputs, c.network.cells, gain_);
    }
  }

  void update() override {
    for (Layer& layer : layers_) layer.run(0);
    for (std::size_t l = layers_.size(); l-- > 0;) layers_[l].run(1);
    for (Layer& layer : layers_) {
      if (gain_) layer.run(2);
    }
    stream_.wait();
  }

 private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  bool gain_;
  std::vector<Layer> layers_;
};

}  // namespace

std::unique_ptr<Engine> make_onednn_engine(const Case& c, const Batch&) {
  return std::make_unique<OneDnnEngine>(c);
}

}  // namespace gradus::benchmarks
