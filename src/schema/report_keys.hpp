// The keys that a report may have.
#pragma once

#include <string_view>

namespace mpsbench::schema {

// Whether KEY is one of a report, its run, cases or launches, or of what stands in these. Names that users
// choose, as in "notes", are not.
[[nodiscard]] bool is_report_key(std::string_view key);

}  // namespace mpsbench::schema
