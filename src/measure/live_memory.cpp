#include "measure/live_memory.hpp"

#include <utility>

namespace mpsbench::measure {

LiveMemoryLog::LiveMemoryLog(std::function<std::optional<std::int64_t>()> read, std::vector<schema::LiveBytes>& out)
    : read_(std::move(read)), out_(out) {
  out_.reserve(kMost);  // the log itself must not grow while it watches
}

void LiveMemoryLog::after_window(std::int64_t steps) {
  steps_ += steps;
  if (windows_++ % stride_ != 0) return;
  if (out_.size() == kMost) {
    for (std::size_t i = 0; 2 * i < kMost; ++i) out_[i] = out_[2 * i];
    out_.resize(kMost / 2);
    stride_ *= 2;
  }
  if (const auto bytes = read_()) out_.push_back({steps_, *bytes});
}

}  // namespace mpsbench::measure
