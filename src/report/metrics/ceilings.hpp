// Reads ceilings from the output of mpsbench-ops, and finds the ceiling to compare a case with.
#pragma once

#include "base/json_reader.hpp"
#include "schema/case_spec.hpp"
#include "schema/ceiling.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// Reads the ceiling of DEVICE from Google Benchmark's JSON: the fastest of the matrix products
// "matmul/DEVICE/PRECISION/...", of the additions "add/DEVICE/..." and of "all_reduce/DEVICE/xN/...". The
// caller sets the threads and the time of measuring. Throws Error(usage) if DOCUMENT is not Google
// Benchmark's.
[[nodiscard]] schema::Ceiling read_ops_ceiling(base::Reader document, const schema::DeviceId& device);

// Returns the FLOP/s of the fastest matrix product on SPEC's device, with its precision and its threads.
// Returns nullopt if it is not known.
[[nodiscard]] std::optional<double> flops_ceiling(const std::vector<schema::Ceiling>& ceilings,
                                                  const schema::CaseSpec& spec);

// Returns the bytes a second that all-reduce between SPEC's devices carries over the connection of each.
// Returns nullopt if it is not known.
[[nodiscard]] std::optional<double> bus_ceiling(const std::vector<schema::Ceiling>& ceilings,
                                                const schema::CaseSpec& spec);

// Whether SPEC averages gradients between GPUs.
[[nodiscard]] bool can_have_bus_ceiling(const schema::CaseSpec& spec);

// Whether SPEC's ceiling can be measured. It cannot if --affinity binds the CPU's work to some of its cores.
[[nodiscard]] bool can_have_ceiling(const schema::CaseSpec& spec);

// Returns the number of threads that SPEC's ceiling depends on. Returns nullopt on a GPU, whose ceiling does
// not depend on it.
[[nodiscard]] std::optional<std::int64_t> ceiling_threads(const schema::CaseSpec& spec);

}  // namespace mpsbench::report
