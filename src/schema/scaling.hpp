// What the batch size of the command line means if several processes run a launch together.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::schema {

enum class Scaling { weak, strong };

struct ScalingRow {
  Scaling value;
  std::string_view name;
  std::string_view help;
};

template <>
struct ClosedSet<Scaling> {
  static constexpr const char* kWhat = "scaling";
  static constexpr std::array kRows{
      ScalingRow{Scaling::weak, "weak", "means that -b is the batch of each process"},
      ScalingRow{Scaling::strong, "strong", "that -b is the total of all processes, which share it equally"}};
};
static_assert(is_whole<Scaling>());

}  // namespace mpsbench::schema
