// What a case measures.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::schema {

enum class Mode { train, infer, data };

struct ModeRow {
  Mode value;
  std::string_view name;
  std::string_view help;
};

template <>
struct ClosedSet<Mode> {
  static constexpr const char* kWhat = "mode";
  static constexpr std::array kRows{
      ModeRow{Mode::train, "train", ""}, ModeRow{Mode::infer, "infer", ""},
      // Batches of a data set are prepared, but no network runs.
      ModeRow{Mode::data, "data", "measures only the input pipeline of a --dataset"}};
};
static_assert(is_whole<Mode>());

}  // namespace mpsbench::schema
