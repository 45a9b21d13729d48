// What a device can do at most, as mpsbench-ops measured it, and how long launches take by that.
#pragma once

#include "base/json_reader.hpp"
#include "report/host/machine_cache.hpp"
#include "schema/case_spec.hpp"
#include "schema/host.hpp"
#include "schema/network_plan.hpp"
#include "schema/report.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// The machine's key, the LibTorch version and, on the CPU, the number of threads.
[[nodiscard]] nlohmann::json ceiling_key(const schema::HostInfo& host, const std::string& libtorch_version,
                                         const schema::DeviceId& device, std::optional<std::int64_t> threads);

// Keeps ceilings from one run to the next.
class CeilingCache {
 public:
  explicit CeilingCache(std::filesystem::path folder) : files_(std::move(folder), "ceiling") {}

  [[nodiscard]] std::optional<schema::Ceiling> find(const nlohmann::json& key) const;
  void keep(const nlohmann::json& key, const schema::Ceiling& ceiling) const;

 private:
  MachineCache files_;
};

// Reads the ceiling of DEVICE from Google Benchmark's JSON: the fastest of the matrix products
// "matmul/DEVICE/PRECISION/...", of the additions "add/DEVICE/..." and of "all_reduce/DEVICE/xN/...". The caller sets
// the threads and the time of measuring. Throws Error(usage) if DOCUMENT is not Google Benchmark's.
[[nodiscard]] schema::Ceiling read_ops_ceiling(base::Reader document, const schema::DeviceId& device);

// The FLOP/s of the fastest matrix product on SPEC's device, with its precision and threads; nullopt: not known.
[[nodiscard]] std::optional<double> flops_ceiling(const std::vector<schema::Ceiling>& ceilings,
                                                  const schema::CaseSpec& spec);

// The bytes a second that additions of large tensors read and write on SPEC's device; nullopt: not known.
[[nodiscard]] std::optional<double> bytes_ceiling(const std::vector<schema::Ceiling>& ceilings,
                                                  const schema::CaseSpec& spec);

// The bytes a second that all-reduce between SPEC's devices carries over the connection of each; nullopt: not known.
[[nodiscard]] std::optional<double> bus_ceiling(const std::vector<schema::Ceiling>& ceilings,
                                                const schema::CaseSpec& spec);

// Whether SPEC averages gradients between GPUs.
[[nodiscard]] bool can_have_bus_ceiling(const schema::CaseSpec& spec);

// Whether SPEC's ceiling can be measured. It cannot if --affinity binds the CPU's work to some of its cores.
[[nodiscard]] bool can_have_ceiling(const schema::CaseSpec& spec);

// The number of threads that SPEC's ceiling depends on; nullopt on a GPU.
[[nodiscard]] std::optional<std::int64_t> ceiling_threads(const schema::CaseSpec& spec);

// The plan of a step of a case's network; nullopt if no network runs, or if it is a model file or another program's,
// whose work cannot be counted. Throws Error(usage) if the definition is missing or broken.
[[nodiscard]] std::optional<schema::NetworkPlan> counted_plan(const schema::RunInfo& run,
                                                              const std::string& definition_sha256,
                                                              const schema::CaseSpec& spec);

// The minimum number of bytes that a step moves, which places it on a roofline: what must pass through the
// memory once. Weights and inputs are read; in training the new weights are also written, and the activations
// that the backward pass needs are written and read, in the case's precision. Computed from the network's plan.
[[nodiscard]] double least_step_bytes(const schema::NetworkPlan& plan, const schema::CaseSpec& spec);

// Estimates the time of one step of PLANNED, a case of RECORD, from the network's FLOP and the device's
// ceiling in RECORD, or else an assumed rate. Returns nullopt if no network is known to run.
[[nodiscard]] std::optional<double> expected_step_seconds(const schema::RunRecord& record,
                                                          const schema::PlannedCase& planned);

struct ExpectedTime {
  double seconds = 0;
  bool is_estimate = false;  // false: the limit that the launch's rules set
};

// The time that a launch of PLANNED, a case of RECORD, measures, without its set-up. It is estimated from the
// expected step if the amount of work decides: with whole epochs or counted iterations, and if steps are so
// long that even the fewest take longer than the limit.
[[nodiscard]] ExpectedTime expected_time(const schema::RunRecord& record, const schema::PlannedCase& planned);

}  // namespace mpsbench::report
