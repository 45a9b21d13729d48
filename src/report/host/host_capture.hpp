// Describes this machine for a report. Fields that only the worker can fill (LibTorch, accelerators) stay
// empty.
#pragma once

#include "schema/host.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// NAME is the value of --host-name. If it is nullopt, the machine's own name is used (host_name.hpp). The
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
