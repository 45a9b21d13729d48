// What a process of a case needs in memory, forecast from its plan alone.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/network_plan.hpp"

namespace mpsbench::model {

// Of one process, in bytes. LibTorch itself, its allocators' reserves and the workspaces of kernels come on top.
struct MemoryForecast {
  double weights = 0;
  double gradients = 0;  // of the weights
  double optimizer = 0;  // its averages
  double batch = 0;
  double cache = 0;  // keys and values, of a network that generates
  // Those that training keeps, with autocast's copies of weights, or most of those that inference has at once.
  double activations = 0;

  // Without activations: these are there at the same time in any case.
  [[nodiscard]] double certain() const { return weights + gradients + optimizer + batch + cache; }
  [[nodiscard]] double total() const { return certain() + activations; }
};

[[nodiscard]] double cache_bytes(const schema::KeyValueCache& cache, const schema::CaseSpec& spec);

[[nodiscard]] MemoryForecast forecast_memory(const schema::NetworkPlan& plan, const schema::CaseSpec& spec);

}  // namespace mpsbench::model
