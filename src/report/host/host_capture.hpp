// Describes this machine for a report. Fields that only the worker can fill (LibTorch, accelerators) stay
// empty.
#pragma once

#include "schema/host.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::report {

// The name of a machine in its reports: its CPU model and four random hex digits, which are kept in a small
// state file.

// Turns "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz" into "xeon-platinum-8370c". Returns "machine" if
// nothing is left.
[[nodiscard]] std::string slug(std::string_view cpu_model);

// Returns a name such as "xeon-platinum-8370c-3fa9". The digits are kept in STATE_FOLDER so that the machine
// keeps its name. If that folder cannot be written, each call draws new digits.
[[nodiscard]] std::string host_name(std::string_view cpu_model, const std::filesystem::path& state_folder);

// Returns $XDG_STATE_HOME/mpsbench, or ~/.local/state/mpsbench if that variable is not an absolute path.
[[nodiscard]] std::filesystem::path state_folder();

// The NUMA nodes of CPUs.

// Returns the nodes that have any of CPUS, in rising order, from Linux's system files under ROOT. Returns
// none if the system does not tell its nodes.
[[nodiscard]] std::vector<std::int64_t> numa_nodes(const std::filesystem::path& root, const std::vector<int>& cpus);

// NAME is the value of --host-name. If it is nullopt, the machine's own name is used. The
// free space is measured on the file system of RESULTS_PLACE. If the machine does not report something, that
// field stays null. This function never throws.
[[nodiscard]] schema::HostInfo capture_host(const std::optional<std::string>& name,
                                            const std::filesystem::path& results_place);

// Returns the environment variables that a report shows, with their current values.
[[nodiscard]] std::map<std::string, std::string> captured_environment();

// Returns the number of physical cores that this process may use under its CPU affinity and its control
// group's CPU quota. The result is at least 1.
[[nodiscard]] std::int64_t usable_cores();

// The same if the process could use only CPUS, some of the allowed ones.
[[nodiscard]] std::int64_t usable_cores(const std::vector<int>& cpus);

// Whether this is an x86-64 program that Rosetta translates for an Apple chip.
[[nodiscard]] bool is_translated();

// Reads everything except the name, the power supply and the free space. On Linux it reads the system files
// under ROOT ("/", or a recorded tree in tests); on macOS it calls sysctl and ignores ROOT.
[[nodiscard]] schema::HostInfo read_machine(const std::filesystem::path& root);

}  // namespace mpsbench::report
