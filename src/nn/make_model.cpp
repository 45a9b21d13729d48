#include "nn/make_model.hpp"

#include "base/error.hpp"
#include "nn/network.hpp"
#include "nn/package_model.hpp"
#include "nn/script_model.hpp"

namespace mpsbench::nn {

std::unique_ptr<Model> make_model(const schema::LaunchRequest& request, const c10::Device& device) {
  const schema::NetworkPlan& plan = request.network_plan;
  const bool training = request.spec.mode == schema::Mode::train;
  if (schema::runs_package_file(plan)) {
    if (!request.package || training)
      throw base::usage_error("an aotinductor layer works only with --model FILE.pt2 and --mode infer");
    return std::make_unique<PackageModel>(*request.package, device);
  }
  if (schema::runs_model_file(plan)) {
    if (!request.weights) throw base::usage_error("a torchscript layer works only with --model FILE.pt");
    return std::make_unique<ScriptModel>(*request.weights, device, training);
  }
  Parameters parameters = request.weights
                              ? Parameters::load(plan, *request.weights, request.spec.seed, device)
                              : Parameters::draw(plan, request.spec.seed, device);
  return std::make_unique<Network>(plan, std::move(parameters), training);
}

}  // namespace mpsbench::nn
