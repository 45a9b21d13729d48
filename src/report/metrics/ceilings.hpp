// Reads ceilings from the output of mpsbench-ops, and finds the ceiling to compare a case with.
#pragma once

#include "base/json_reader.hpp"
#include "report/host/machine_cache.hpp"
#include "schema/case_spec.hpp"
#include "schema/ceiling.hpp"
#include "schema/network_plan.hpp"
#include "schema/report.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// Keeps ceilings from one run to the next, in one file for each combination of what they depend on.

// Returns the machine's key, the LibTorch version and, on the CPU, the number of threads.
[[nodiscard]] nlohmann::json ceiling_key(const schema::HostInfo& host, const std::string& libtorch_version,
                                         const schema::DeviceId& device, std::optional<std::int64_t> threads);

class CeilingCache {
 public:
  explicit CeilingCache(std::filesystem::path folder) : files_(std::move(folder), "ceiling") {}

  [[nodiscard]] std::optional<schema::Ceiling> find(const nlohmann::json& key) const;
  void keep(const nlohmann::json& key, const schema::Ceiling& ceiling) const;

 private:
  MachineCache files_;
};

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

// The minimum number of bytes that a step moves, which places it on a roofline.

// Counts what must pass through the memory once: weights and inputs are read; in training the new weights are
// also written, and the activations that the backward pass needs are written and read, in the case's
// precision. This is computed from the network's plan, not measured.
[[nodiscard]] double least_step_bytes(const schema::NetworkPlan& plan, const schema::CaseSpec& spec);

// Returns the same from the definition in RUN, or nullopt if RUN has no definition or the network cannot be
// counted.
[[nodiscard]] std::optional<double> least_step_bytes(const schema::RunInfo& run, const schema::CaseResult& result);

}  // namespace mpsbench::report
