// Describes this machine for a report. Fields that only the worker can fill (LibTorch, accelerators) stay empty.
#pragma once

#include "base/system_files.hpp"
#include "schema/host.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::report {

// Turns "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz" into "xeon-platinum-8370c". Returns "machine" if
// nothing is left.
[[nodiscard]] std::string slug(std::string_view cpu_model);

// The name of a machine in its reports, such as "xeon-platinum-8370c-3fa9". The random digits are kept in
// STATE_FOLDER. If that folder cannot be written, each call draws new ones.
[[nodiscard]] std::string host_name(std::string_view cpu_model, const std::filesystem::path& state_folder);

// The NUMA nodes that have any of CPUS, in rising order, from Linux's system files under ROOT; none if the system
// does not tell.
[[nodiscard]] std::vector<std::int64_t> numa_nodes(const std::filesystem::path& root, const std::vector<int>& cpus);

// NAME is the value of --host-name; nullopt: the machine's own name. The free space is measured on the file
// system of RESULTS_PLACE. What the machine does not report stays null. Never throws.
[[nodiscard]] schema::HostInfo capture_host(const std::optional<std::string>& name,
                                            const std::filesystem::path& results_place);

// The variables that a report shows, with their current values.
[[nodiscard]] std::map<std::string, std::string> captured_environment();

// Returns the number of physical cores behind the logical CPUs that this process may use, or those CPUs if the
// cores are unknown. It is at most the control group's CPU quota and at least 1. On Linux it reads the system
// files under ROOT; macOS has no affinity, and only performance cores count there.
[[nodiscard]] std::int64_t usable_cores(const std::vector<int>& cpus = base::allowed_cpus(),
                                        const std::filesystem::path& root = "/");

// Whether this is an x86-64 program that Rosetta translates for an Apple chip.
[[nodiscard]] bool is_translated();

// Reads everything except the name, the power supply and the free space. On Linux it reads the system files
// under ROOT ("/", or a recorded tree in tests); on macOS it calls sysctl and ignores ROOT.
[[nodiscard]] schema::HostInfo read_machine(const std::filesystem::path& root);

}  // namespace mpsbench::report
