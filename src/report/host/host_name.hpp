// The name of a machine in its reports: its CPU model and four random hex digits, which are kept in a small
// state file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mpsbench::report {

// "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz" -> "xeon-platinum-8370c"; "machine" if nothing is left.
[[nodiscard]] std::string slug(std::string_view cpu_model);

// "xeon-platinum-8370c-3fa9". The digits are kept in STATE_FOLDER so that the machine keeps its name; if that
// folder cannot be written, each call draws new digits.
[[nodiscard]] std::string host_name(std::string_view cpu_model, const std::filesystem::path& state_folder);

// $XDG_STATE_HOME/mpsbench, or ~/.local/state/mpsbench if that variable is not an absolute path.
[[nodiscard]] std::filesystem::path state_folder();

}  // namespace mpsbench::report
