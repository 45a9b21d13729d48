// The machine as a report shows it. What the worker alone knows (LibTorch, accelerators) stays empty.
#pragma once

#include "schema/host.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace mpsbench::report {

// NAME: --host-name; nullopt gives the machine's own (host_name.hpp). RESULTS_PLACE: the folder whose file
// system's free space is told. Never throws for what a machine does not tell: that stays null.
[[nodiscard]] schema::HostInfo capture_host(const std::optional<std::string>& name,
                                            const std::filesystem::path& results_place);

// The variables that a report shows, as they are now.
[[nodiscard]] std::map<std::string, std::string> captured_environment();

// Physical cores that this process may use: its affinity and the control group's CPU quota allow them. At
// least 1.
[[nodiscard]] std::int64_t usable_cores();

// Everything but the name, the power supply and the free space, from the system's files under ROOT ("/", or a
// recorded tree in tests); on macOS from sysctl, whatever ROOT is.
[[nodiscard]] schema::HostInfo read_machine(const std::filesystem::path& root);

}  // namespace mpsbench::report
