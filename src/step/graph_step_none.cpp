#include "base/error.hpp"
#include "step/graph_step.hpp"

namespace mpsbench::step {

std::unique_ptr<measure::Step> make_graph_step(std::unique_ptr<measure::Step> /*eager*/,
                                               const c10::Device& /*device*/) {
  throw base::Error(base::ErrorKind::no_device,
                    "this mpsbench was built without CUDA, so it has no CUDA graphs; use --engine eager");
}

}  // namespace mpsbench::step
