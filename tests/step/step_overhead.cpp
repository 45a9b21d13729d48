// Measures the time that an InferStep adds to the operators that it calls. The bundled mlp at batch size 1
// runs on one thread, in turns with a plain loop of the same at:: calls over the same tensors.
#include "base/json_file.hpp"
#include "measure/timer.hpp"
#include "model/build_network_plan.hpp"
#include "nn/network.hpp"
#include "stats/summary.hpp"
#include "step/infer_step.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <vector>

namespace mpsbench {
namespace {

constexpr int kRounds = 20;
constexpr int kSteps = 2'000;  // steps of each kind per round

template <typename Run>
std::vector<double> timed(measure::HostTimer& timer, Run&& run) {
  std::vector<double> seconds;
  for (int i = 0; i < kSteps; ++i) {
    const double begin = timer.now_seconds();
    run();
    seconds.push_back(timer.now_seconds() - begin);
  }
  return seconds;
}

double microseconds(const std::vector<double>& samples) {
  return stats::median(samples).value() * 1e6;
}

int show() {
  at::set_num_threads(1);
  const std::string file = std::string(MPSBENCH_SOURCE_DIR) + "/models/mlp.json";
  const model::Definition definition = model::read_definition(base::read_json_file(file), file);
  const schema::NetworkPlan plan = model::build_network_plan(definition, 1, {}, definition.loss, schema::Mode::infer);
  nn::Network network(plan, nn::Parameters::draw(plan, 1, at::kCPU), false);
  const data::Batch batch = data::make_synthetic_batch(plan, 1, at::kCPU);
  step::InferStep step(network, batch, schema::Precision::fp32, step::Gradients::none, nullptr);
  const std::vector<nn::NamedTensor>& all = network.parameters().all();
  const auto tensor = [&](std::size_t i) -> const at::Tensor& { return all[i].tensor; };

  measure::HostTimer timer;
  std::vector<double> added;
  for (int round = 0; round < kRounds; ++round) {
    const double ours = microseconds(timed(timer, [&] { step.run(); }));
    const c10::InferenceMode inference;
    const double plain = microseconds(timed(timer, [&] {
      at::Tensor x = at::relu(at::linear(batch.inputs[0], tensor(0), tensor(1)));
      x = at::relu(at::linear(x, tensor(2), tensor(3)));
      x = at::linear(x, tensor(4), tensor(5));
    }));
    std::printf("step %.2f us, plain loop %.2f us\n", ours, plain);
    added.push_back(ours - plain);
  }
  std::printf("the step adds %.2f us (median of %d rounds)\n", stats::median(added).value(), kRounds);
  return 0;
}

}  // namespace
}  // namespace mpsbench

int main() {
  return mpsbench::show();
}
