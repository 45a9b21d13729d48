// The threads that really work on an operation, as a process counts them when it starts.
#pragma once

#include <cstdint>
#include <string>

namespace mpsbench::schema {

struct WorkingThreads {
  std::int64_t count = 0;
  std::string cpus{};  // that they may use: "0-3,8"; empty: the system does not say
};

}  // namespace mpsbench::schema
