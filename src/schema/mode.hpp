// What a case times.
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
      // The batches of a data set are made ready, and no network takes them.
      ModeRow{Mode::data, "data", "is the input pipeline of a --dataset alone"}};
};
static_assert(is_whole<Mode>());

}  // namespace mpsbench::schema
