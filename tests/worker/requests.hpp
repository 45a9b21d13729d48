// Launches for the tests of worker/, and the events that they sent.
#pragma once

#include "model/training.hpp"
#include "nn/plans.hpp"
#include "schema/messages.hpp"
#include "worker/front.hpp"

#include <string>
#include <variant>
#include <vector>

namespace mpsbench::worker {

class RecordedEvents final : public Events {
 public:
  void send(const schema::Event& event) override {
    if (const auto* phase = std::get_if<schema::PhaseEvent>(&event)) phases.push_back(phase->phase);
  }

  std::vector<schema::Phase> phases;
};

// Returns a few steps of a small network on the CPU, over the synthetic batch.
inline schema::LaunchRequest small_request(schema::Mode mode) {
  schema::LaunchRequest request;
  request.network_plan = tests::small_mlp(4, mode);
  request.spec.mode = mode;
  request.spec.device = "cpu";
  request.spec.batch_size = 4;
  request.spec.precision = schema::Precision::fp32;
  request.spec.engine = schema::Engine::eager;
  request.spec.dataset = schema::Dataset::synthetic;
  request.spec.loss = "cross_entropy";
  request.spec.optimizer = model::complete_optimizer("sgd", {{"lr", 0.1}});
  request.spec.rows = 64;
  request.spec.threads = 1;
  request.spec.iterations = 6;
  return request;
}

// The same with MNIST's files in FOLDER.
inline schema::LaunchRequest mnist_request(schema::Mode mode, const std::string& folder) {
  schema::LaunchRequest request = small_request(mode);
  request.network_plan = tests::plan_of(
      tests::image_input(1, 28),
      nlohmann::json::array({{{"type", "flatten"}}, {{"type", "linear"}, {"name", "last"}, {"out_features", 10}}}), 8,
      mode);
  request.data_folder = folder;
  request.spec.dataset = schema::Dataset::mnist;
  request.spec.batch_size = 8;
  request.spec.rows = 30;
  return request;
}

}  // namespace mpsbench::worker
