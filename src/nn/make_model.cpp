#include "nn/make_model.hpp"

#include "base/error.hpp"
#include "nn/network.hpp"
#include "nn/script_model.hpp"

namespace mpsbench::nn {

std::unique_ptr<Model> make_model(const schema::NetworkPlan& plan, const std::optional<std::string>& weights,
                                  std::int64_t seed, const c10::Device& device, bool training) {
  if (schema::runs_script(plan)) {
    if (!weights) throw base::usage_error("a torchscript layer works only with --model FILE.pt");
    return std::make_unique<ScriptModel>(*weights, device, training);
  }
  Parameters parameters =
      weights ? Parameters::load(plan, *weights, device) : Parameters::draw(plan, seed, device);
  return std::make_unique<Network>(plan, std::move(parameters), training);
}

}  // namespace mpsbench::nn
