// How much time the compiler of a package takes to find faster kernels.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::schema {

enum class CompileMode { usual, max_autotune };

struct CompileModeRow {
  CompileMode value;
  std::string_view name;
  std::string_view help;
};

template <>
struct ClosedSet<CompileMode> {
  static constexpr const char* kWhat = "compile mode";
  static constexpr std::array kRows{CompileModeRow{CompileMode::usual, "default", ""},
                                    CompileModeRow{CompileMode::max_autotune, "max-autotune",
                                                   "tries more kernels, which takes much longer"}};
};
static_assert(is_whole<CompileMode>());

}  // namespace mpsbench::schema
