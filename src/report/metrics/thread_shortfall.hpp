// Threads that a case asked for and that do not work, or not on CPUs of their own.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/host.hpp"
#include "schema/launch.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace mpsbench::report {

// The threads of all processes that work together on one machine.
struct ThreadsAtWork {
  std::int64_t asked = 0;
  std::int64_t working = 0;
  std::set<int> cpus;  // that they may use; none: not known
  bool are_of_one_process = true;
};

struct ThreadShortfall {
  std::string what;  // "2 threads work on 1 CPU (GOMP_CPU_AFFINITY=0)"
  std::string cure;
};

// ENVIRONMENT has the variables that may be the reason. ALLOWED is the number of CPUs that the processes
// could use if no variable bound their threads; 0: not known. Returns nullopt if nothing is missing.
[[nodiscard]] std::optional<ThreadShortfall> thread_shortfall(const ThreadsAtWork& threads,
                                                              const std::map<std::string, std::string>& environment,
                                                              std::size_t allowed);

// The same of one process, which ASKED for threads.
[[nodiscard]] std::optional<ThreadShortfall> thread_shortfall(const schema::WorkingThreads& working, std::int64_t asked,
                                                              const std::map<std::string, std::string>& environment,
                                                              std::size_t allowed);

// The same of a launch's processes on the report's own machine. ALLOWED does not count if the case has an
// affinity. Returns nullopt if the launch does not say how many threads worked.
[[nodiscard]] std::optional<ThreadShortfall> thread_shortfall(const schema::CaseSpec& spec,
                                                              const schema::Launch& launch,
                                                              const schema::HostInfo& host, std::size_t allowed);

}  // namespace mpsbench::report
