// A small network, and its first step compared with a reference.
#pragma once

#include "device/device.hpp"
#include "input/data/batches.hpp"
#include "model/training.hpp"
#include "nn/network.hpp"
#include "nn/plans.hpp"
#include "step/engine.hpp"
#include "step/first_step_check.hpp"
#include "step/infer_step.hpp"
#include "step/train_step.hpp"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::step {

using Quantities = std::vector<schema::Compared>;
using schema::Compared;

inline const Quantities kOfInference{Compared::output};
inline const Quantities kOfTraining{Compared::output, Compared::loss, Compared::gradients, Compared::weights};

inline Quantities quantities(const StepComparison& comparison) {
  Quantities all;
  for (const schema::AgreementCheck& check : comparison.checks) all.push_back(check.quantity);
  return all;
}

inline TrainSettings settings_of(const std::string& optimizer, Precision precision,
                                 const std::map<std::string, double>& values = {{"lr", 0.05}}) {
  TrainSettings settings;
  settings.spec.precision = precision;
  settings.spec.loss = "cross_entropy";
  settings.spec.optimizer = model::complete_optimizer(optimizer, values);
  return settings;
}

// The same with a HOOK.
inline TrainSettings hooked(TrainSettings settings, GradientHook& hook) {
  settings.gradient_hook = &hook;
  return settings;
}

// With batch normalisation and dropout, which work differently in training.
inline schema::NetworkPlan image_plan(double dropout = 0.5) {
  return tests::plan_of(
      tests::image_input(3, 8),
      nlohmann::json::array({{{"type", "conv2d"}, {"name", "conv"}, {"out_channels", 4}, {"kernel_size", 3}},
                             {{"type", "batch_norm2d"}, {"name", "norm"}},
                             {{"type", "relu"}},
                             {{"type", "flatten"}},
                             {{"type", "dropout"}, {"p", dropout}},
                             {{"type", "linear"}, {"name", "last"}, {"out_features", 5}}}),
      16);
}

struct ReferenceRig {
  explicit ReferenceRig(const c10::Device& on = at::kCPU, schema::NetworkPlan of = image_plan(), bool training = true)
      : device(on),
        plan(std::move(of)),
        network(plan, nn::Parameters::draw(plan, 1, device), training),
        batch(data::make_synthetic_batch(plan, 1, device)) {}

  [[nodiscard]] StepComparison infer(Precision precision) const {
    return compare_with_cpu(network, batch, precision, std::nullopt);
  }
  [[nodiscard]] StepComparison train(const TrainSettings& settings) const {
    return compare_with_cpu(network, batch, settings.spec.precision, settings);
  }

  [[nodiscard]] StepMaker eager(const TrainSettings& settings) const {
    return [this, settings](nn::Model& model) { return std::make_unique<TrainStep>(model, batch, settings, nullptr); };
  }
  [[nodiscard]] StepMaker eager(Precision precision) const {
    return [this, precision](nn::Model& model) {
      return std::make_unique<InferStep>(model, batch, precision, Gradients::none, nullptr);
    };
  }
  [[nodiscard]] StepMaker graph(const StepMaker& eager) const {
    return [eager](nn::Model& model) {
      return make_engine_step(schema::Engine::graph, eager(model), device::Device::open("cuda:0"));
    };
  }
  [[nodiscard]] StepComparison compare(const EngineSides& sides, const TrainSettings& settings) const {
    return compare_with_eager(network, device, settings.spec.precision, sides, settings);
  }
  [[nodiscard]] StepComparison engine(const StepMaker& engine, const TrainSettings& settings) const {
    return compare({engine, eager(settings)}, settings);
  }

  c10::Device device;
  schema::NetworkPlan plan;
  nn::Network network;
  data::Batch batch;
};

// Its step has other gradients: that of PARAMETER, or all, times FACTOR.
class ScalingHook final : public GradientHook {
 public:
  ScalingHook(std::optional<std::size_t> parameter, double factor) : parameter_(parameter), factor_(factor) {}
  void apply(const std::vector<at::Tensor>& parameters) override {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (i == parameter_.value_or(i)) parameters[i].grad().mul_(factor_);
    }
  }

 private:
  std::optional<std::size_t> parameter_;
  double factor_;
};

}  // namespace mpsbench::step
