// Names of a user's files as parts of case ids: readable in any script, safe, and never the same for two
// files.
#pragma once

#include "suite/settings.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::suite {

// Returns TEXT as a model's name of at most MOST characters: each character that such a name must not contain
// becomes '_'. A longer text is cut and ends with a part of its SHA-256.
[[nodiscard]] std::string safe_name(std::string_view text, std::size_t most);

// Returns the name of each of FILES: its own without the ending (or with it, if WITH_ENDING). Files that
// would share a name also get their ending, the folders above them or, if nothing else differs, a part of
// their path's SHA-256. Two paths of one file have one name.
[[nodiscard]] std::map<std::string, std::string> file_names(const std::vector<std::string>& files,
                                                            bool with_ending);

// Returns the name of FILE that plan_cases gave SETTINGS, or its name alone.
[[nodiscard]] std::string name_in_ids(const Settings& settings, const std::string& file, bool with_ending);

}  // namespace mpsbench::suite
