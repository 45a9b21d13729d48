// A case's metrics, worked out from its good launches' raw samples and its plan's counts.
#pragma once

#include "schema/report.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace mpsbench::report {

// What the network's plan says, without LibTorch.
struct WorkCounts {
  std::int64_t parameters = 0;
  std::int64_t trainable_parameters = 0;
  std::int64_t flops_per_step = 0;
};

// Notes by path ("metrics.step_seconds.p90"): why a value is null. A note on a group
// ("metrics.latency_seconds") speaks for all its values.
using Notes = std::map<std::string, std::string>;

struct MetricsAndNotes {
  schema::Metrics metrics;
  Notes notes;
};

// Launches that are not ok are left out. COUNTS: none of a network that is code of its own, or of no network.
// FLOPS_CEILING: of the case's device and precision, FLOP/s. PRICE_DOLLARS: of the machine.
[[nodiscard]] MetricsAndNotes compute_metrics(const schema::CaseSpec& spec,
                                              const std::optional<WorkCounts>& counts,
                                              std::span<const schema::Launch> launches,
                                              std::optional<double> flops_ceiling = {},
                                              std::optional<double> price_dollars = {});

// Steps of one epoch: floor(rows / batch) in training, where the short last batch is dropped, ceil in
// inference.
[[nodiscard]] std::int64_t steps_per_epoch(const schema::CaseSpec& spec);

}  // namespace mpsbench::report
