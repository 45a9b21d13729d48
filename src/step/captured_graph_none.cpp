#include "base/error.hpp"
#include "step/engine.hpp"

namespace mpsbench::step {

std::unique_ptr<CapturedGraph> capture(const std::function<void()>& /*queue*/) {
  throw base::Error(base::ErrorKind::no_device,
                    "this mpsbench was built without CUDA, so it has no CUDA graphs; use --engine eager");
}

}  // namespace mpsbench::step
