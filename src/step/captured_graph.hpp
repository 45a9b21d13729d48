// Work that is captured once as a CUDA graph and then replayed.
#pragma once

#include "base/interface.hpp"

#include <functional>
#include <memory>

namespace mpsbench::step {

class CapturedGraph : public base::Interface {
 public:
  // Queues on the current stream what was captured.
  virtual void replay() = 0;
};

// Captures what QUEUE queues on the current stream, which must not be the default one, without running it.
// Other threads may capture on other devices at the same time. Passes on what QUEUE throws. Throws
// Error(no_device) if this build has no CUDA graphs.
[[nodiscard]] std::unique_ptr<CapturedGraph> capture(const std::function<void()>& queue);

}  // namespace mpsbench::step
