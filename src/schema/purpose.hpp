// Why a run was made. --resume goes on with it as it was begun.
#pragma once

#include "base/json_reader.hpp"

#include <array>
#include <string>
#include <string_view>

namespace mpsbench::schema {

enum class Purpose { plain, baseline, versus, calibrate, search };

struct PurposeRow {
  Purpose value;
  std::string_view name;     // in reports and journals
  std::string_view meaning;  // what the run does, for a person
  bool is_resumable;
};

inline constexpr std::array<PurposeRow, 5> kPurposes{{
    {Purpose::plain, "plain", "measures", true},
    {Purpose::baseline, "baseline", "is compared with an earlier report", true},
    {Purpose::versus, "versus", "takes turns with another worker", false},
    {Purpose::calibrate, "calibrate", "records how far equal runs lie apart", true},
    {Purpose::search, "search", "looked for the largest batch that runs", true},
}};

[[nodiscard]] const PurposeRow& row_of(Purpose purpose);
[[nodiscard]] std::string to_string(Purpose purpose);
[[nodiscard]] Purpose read_purpose(const base::Reader& reader);

}  // namespace mpsbench::schema
