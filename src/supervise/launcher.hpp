// Finds out whether a launcher (torchrun, mpirun, srun) has started several fronts for one run.
#pragma once

#include "schema/rank.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace mpsbench::supervise {

// The place of this front among those that a launcher has started, one a rank, and where they meet.
struct LauncherPlace : schema::GroupPlace {
  std::string launcher;          // its name
  std::int64_t local_rank = 0;   // among those on this machine
  std::int64_t local_ranks = 1;  // on this machine
  bool has_store = false;        // the launcher keeps a TCPStore at the address

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
