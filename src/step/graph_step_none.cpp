#include "base/error.hpp"
#include "step/graph_step.hpp"

namespace mpsbench::step {

std::unique_ptr<measure::Step> make_graph_step(std::unique_ptr<measure::Step> /*eager*/,
                                               const c10::Device& /*device*/) {
  throw base::Error(base::ErrorKind::no_device,
                    "--engine graph: this mpsbench was built without CUDA; use --engine eager");
}

}  // namespace mpsbench::step
