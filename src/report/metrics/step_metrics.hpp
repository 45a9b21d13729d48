// The metrics of a case's steps: times, rates, parts, and loops of other programs.
#pragma once

#include "report/metrics/metrics.hpp"

#include <optional>
#include <vector>

namespace mpsbench::report {

// The distributions of a case's step times and latencies.

// Sets step_seconds and latency_seconds from the GOOD launches, or says in NOTES what is missing.
// PERCENTILES: those that are wanted besides the 90th and the 99th.
void set_times(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
               const std::vector<double>& percentiles, schema::Metrics& metrics, Notes& notes);

// A case's memory traffic, and its rates compared with the machine's ceiling and price. Call these after the
// rates and counts are set.

// Each function sets its metric, or explains in NOTES why it is missing. LEAST_BYTES are those of a step, or
// 0 if they are unknown. FLOPS_CEILING is the peak FLOP/s of the case's device and precision.
void set_least_traffic(const schema::CaseSpec& spec, double least_bytes, schema::Metrics& metrics, Notes& notes);
void set_ceiling_share(const schema::CaseSpec& spec, std::optional<double> flops_ceiling, schema::Metrics& metrics,
                       Notes& notes);
void set_value(std::optional<double> price_dollars, schema::Metrics& metrics, Notes& notes);

// Where the time of a step goes: waiting for its batch; in training, forward pass, backward pass and update.

// Sets forward_seconds, backward_seconds and update_seconds to the medians over the GOOD launches. NOTES says
// why they are missing.
void set_parts(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, schema::Metrics& metrics,
               Notes& notes);

// Sets the share of a step's time that is spent waiting for its batch: what it would save if its batch
// were already on the device. It is limited to twice the time to bring a batch: anything above that is not
// waiting, but noise between the two measurements.
void set_data_wait(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                   schema::Metrics& metrics, Notes& notes);

// The time of the loop that --iterations asks for.

// Sets loop_seconds from the GOOD launches, or says in NOTES why there is none.
void set_loop(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, schema::Metrics& metrics,
              Notes& notes);

}  // namespace mpsbench::report
