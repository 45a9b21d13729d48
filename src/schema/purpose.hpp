// Why a run was made. --resume continues the run with the same purpose.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::schema {

enum class Purpose { plain, baseline, versus, calibrate, search };

struct PurposeRow {
  Purpose value;
  std::string_view name;
  std::string_view help;  // completes the sentence "the run ..." in messages
  bool is_resumable;
};

template <>
struct ClosedSet<Purpose> {
  static constexpr const char* kWhat = "purpose";
  static constexpr std::array kRows{
      PurposeRow{Purpose::plain, "plain", "measures", true},
      PurposeRow{Purpose::baseline, "baseline", "is compared with an earlier report", true},
      PurposeRow{Purpose::versus, "versus", "takes turns with another worker", false},
      PurposeRow{Purpose::calibrate, "calibrate", "records how far apart equal runs are", true},
      PurposeRow{Purpose::search, "search", "looks for a batch size", true}};
};
static_assert(is_whole<Purpose>());

}  // namespace mpsbench::schema
