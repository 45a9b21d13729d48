// Version, commit, build type and compiler of this build.
#pragma once

#include "schema/host.hpp"

#include <string>

namespace mpsbench::schema {

[[nodiscard]] ToolInfo tool_info();
// Returns one line, such as "mpsbench 0.1.0 (Release, GNU 12.2.0, a1b2c3d4e5f6)".
[[nodiscard]] std::string version_text();

}  // namespace mpsbench::schema
