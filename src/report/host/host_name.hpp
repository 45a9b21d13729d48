// The name of a machine in its reports: its CPU model and four random hex digits, which are kept in a small
// state file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mpsbench::report {

// Turns "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz" into "xeon-platinum-8370c". Returns "machine" if
// nothing is left.
[[nodiscard]] std::string slug(std::string_view cpu_model);

// Returns a name such as "xeon-platinum-8370c-3fa9". The digits are kept in STATE_FOLDER so that the machine
// keeps its name. If that folder cannot be written, each call draws new digits.
[[nodiscard]] std::string host_name(std::string_view cpu_model, const std::filesystem::path& state_folder);

// Returns $XDG_STATE_HOME/mpsbench, or ~/.local/state/mpsbench if that variable is not an absolute path.
[[nodiscard]] std::filesystem::path state_folder();

}  // namespace mpsbench::report
