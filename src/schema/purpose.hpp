// Why a run was made. --resume goes on with it as it was begun.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::schema {

enum class Purpose { plain, baseline, versus, calibrate, search };

struct PurposeRow {
  Purpose value;
  std::string_view name;
  std::string_view help;  // what the run does, for a person
  bool is_resumable;
};

template <>
struct ClosedSet<Purpose> {
  static constexpr const char* kWhat = "purpose";
  static constexpr std::array kRows{
      PurposeRow{Purpose::plain, "plain", "measures", true},
      PurposeRow{Purpose::baseline, "baseline", "is compared with an earlier report", true},
      PurposeRow{Purpose::versus, "versus", "takes turns with another worker", false},
      PurposeRow{Purpose::calibrate, "calibrate", "records how far equal runs lie apart", true},
      PurposeRow{Purpose::search, "search", "looked for the largest batch that runs", true}};
};
static_assert(is_whole<Purpose>());

}  // namespace mpsbench::schema
