// The name under which a machine stands in its reports: its model and four random digits, kept in a small
// state file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mpsbench::report {

// "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz" -> "xeon-platinum-8370c"; "machine" when nothing is left.
[[nodiscard]] std::string slug(std::string_view cpu_model);

// "xeon-platinum-8370c-3fa9". The digits are kept in STATE_FOLDER so that the machine keeps its name; where
// that cannot be written, each call draws new ones.
[[nodiscard]] std::string host_name(std::string_view cpu_model, const std::filesystem::path& state_folder);

// $XDG_STATE_HOME/mpsbench, else ~/.local/state/mpsbench.
[[nodiscard]] std::filesystem::path state_folder();

}  // namespace mpsbench::report
