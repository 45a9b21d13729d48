// Readings of live memory between windows, thinned so that a long launch has no more than a short one.
#pragma once

#include "schema/launch.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace mpsbench::measure {

class LiveMemoryLog {
 public:
  static constexpr std::size_t kMost = 64;

  // READ: bytes in use now; nullopt ends the readings. OUT receives them, evenly spread over the windows.
  LiveMemoryLog(std::function<std::optional<std::int64_t>()> read, std::vector<schema::LiveBytes>& out);

  // After a window of STEPS steps.
  void after_window(std::int64_t steps);

 private:
  std::function<std::optional<std::int64_t>()> read_;
  std::vector<schema::LiveBytes>& out_;
  std::int64_t steps_ = 0;
  std::size_t windows_ = 0;
  std::size_t stride_ = 1;  // windows a reading
};

}  // namespace mpsbench::measure
