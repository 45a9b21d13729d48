// Keeps readings of live memory between windows. They are thinned out, so a long launch has no more than a
// short one.
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

  // READ returns the bytes in use now, or nullopt if unknown. OUT receives readings, evenly spread over the
  // windows.
  LiveMemoryLog(std::function<std::optional<std::int64_t>()> read, std::vector<schema::LiveBytes>& out);

  // Call this after each window of STEPS steps.
  void after_window(std::int64_t steps);

 private:
  std::function<std::optional<std::int64_t>()> read_;
  std::vector<schema::LiveBytes>& out_;
  std::int64_t steps_ = 0;
  std::size_t windows_ = 0;
  std::size_t stride_ = 1;  // windows per reading
};

}  // namespace mpsbench::measure
