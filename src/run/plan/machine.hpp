// What is known of this machine before a run: its accelerators, how the worker was built for them, the threads
// that a run uses by default, and the CPUs that it may use.
#pragma once

#include "schema/host.hpp"
#include "schema/report.hpp"
#include "suite/host.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::run {

[[nodiscard]] std::string machine_name();

// The devices of this machine. The worker is asked for them once, when they are first needed.
class Accelerators {
 public:
  // Returns a function that lists the devices. It is valid as long as this object, and throws
  // Error(interrupted), and Error(usage) if the worker has another version than this program.
  [[nodiscard]] suite::DeviceList list();

  // Returns the usable devices except the CPU, for the report. Empty if the worker was never asked.
  [[nodiscard]] std::vector<schema::Accelerator> known() const;

  // Returns LibTorch's version, or nullopt if the worker was never asked or did not answer.
  [[nodiscard]] std::optional<std::string> libtorch_version() const { return libtorch_version_; }

  // Returns why PLAN has no cases on devices that LibTorch supports but that are not usable now. The result
  // is empty if the worker was never asked.
  [[nodiscard]] std::vector<std::string> passed_over(const std::vector<schema::PlannedCase>& plan) const;

 private:
  std::optional<std::vector<schema::DeviceStatus>> devices_;
  std::optional<std::string> libtorch_version_;
};

// Reports name the front's build, but the worker's measures.
struct BuildDifference {
  bool is_refused = false;  // they have different versions; otherwise only different commits
  std::string message;
  std::string cure;
};

// Returns how WORKER's build differs from FRONT's, or nullopt if it does not, as far as both are known.
// nullopt for WORKER: it is too old to say.
[[nodiscard]] std::optional<BuildDifference> build_difference(const schema::ToolInfo& front,
                                                              const std::optional<schema::ToolInfo>& worker);

// Throws Error(usage) if WORKER has another version than this program. Warns if it has another commit.
void require_own_build(const std::optional<schema::ToolInfo>& worker);

// Returns the first number of OMP_NUM_THREADS, which may have one for each level of nesting ("4" or "4,2").
// Returns nullopt unless all are whole numbers from 1 to 4096.
[[nodiscard]] std::optional<std::int64_t> threads_of(std::string_view omp_num_threads);

// Returns those of the variables in ENVIRONMENT that are about threads and have no effect, because a run takes
// DEFAULT_THREADS or because OpenMP or LibTorch does not use them: with the reason and, after "; ", what to do.
[[nodiscard]] std::vector<std::string> ignored_thread_variables(const std::map<std::string, std::string>& environment,
                                                                std::int64_t default_threads);

// Returns OMP_NUM_THREADS if threads_of() understands it; otherwise the number of usable cores.
[[nodiscard]] std::int64_t default_threads();

// Returns how many of the LOCAL_RANKS processes that a launcher has started on this machine share the default
// threads: 1 if each has threads or CPUs of its own.
[[nodiscard]] std::int64_t sharing_cores(std::int64_t local_ranks);

[[nodiscard]] suite::Cpus usable_cpus();

}  // namespace mpsbench::run
