// Finds out whether a launcher (torchrun, mpirun, srun) has started several fronts for one run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace mpsbench::supervise {

// The place of this front among those that a launcher has started, one a rank.
struct LauncherPlace {
  std::string launcher;          // its name
  std::int64_t rank = 0;         // from 0
  std::int64_t ranks = 1;        // the world size
  std::int64_t local_rank = 0;   // among those on this machine
  std::int64_t local_ranks = 1;  // on this machine
  std::string address;           // where the ranks meet
  std::int64_t port = 0;
  bool has_store = false;  // the launcher keeps a TCPStore there

  bool operator==(const LauncherPlace&) const = default;
};

// Returns null if the variable is not set.
using Variables = std::function<const char*(const char* name)>;

// Returns nullopt unless a launcher has started more than one process. Throws Error(usage) if a variable of
// the launcher is not valid, or if it names no address and the ranks are on several machines.
[[nodiscard]] std::optional<LauncherPlace> launcher_place(const Variables& variables);

// Whether this process is the only one here or has local rank 0: what concerns the machine is done once.
// Throws Error(usage) if a variable of the launcher is not valid.
[[nodiscard]] bool is_first_on_machine(const Variables& variables);

}  // namespace mpsbench::supervise
