// The network of a plan: one loop over the plan's layers.
#pragma once

#include "nn/cache.hpp"
#include "nn/layers.hpp"
#include "nn/model.hpp"
#include "schema/messages.hpp"
#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <memory>
#include <vector>

namespace mpsbench::nn {

class Network final : public Model {
 public:
  // PARAMETERS must be made from the same PLAN, which must outlive this object.
  Network(const schema::NetworkPlan& plan, Parameters parameters, bool training);
  // A network that generates: its inputs follow on the positions that CACHE has, which must outlive it, too.
  Network(const schema::NetworkPlan& plan, Parameters parameters, Cache& cache);

  // Each slot is freed after its last use. A cache's position is not moved.
  [[nodiscard]] at::Tensor forward(const std::vector<at::Tensor>& inputs) override;
  [[nodiscard]] std::vector<Auxiliary> take_auxiliary() override;
  [[nodiscard]] std::unique_ptr<Model> evaluating() const override;
  [[nodiscard]] std::unique_ptr<Model> copy_without_dropout(const c10::Device& device, bool training) const override;

 private:
  Network(const schema::NetworkPlan& plan, Parameters parameters, bool training, bool drops_out, Cache* cache);

  struct RunnableLayer {
    Forward forward;
    std::vector<int> inputs;
    std::vector<int> release;
    int output;
  };

  const schema::NetworkPlan* plan_;
  std::vector<RunnableLayer> layers_;
  std::vector<at::Tensor> slots_;
  int output_;
};

// The request's weights, or ones drawn from its seed. Throws Error(usage) if a file does not fit.
[[nodiscard]] Parameters make_parameters(const schema::LaunchRequest& request, const c10::Device& device);

// Makes a user's TorchScript module or package if the plan runs one, otherwise the plan's own network with
// the request's weights or ones drawn from its seed. REQUEST must outlive the model. Throws Error(usage) if a
// file does not fit.
[[nodiscard]] std::unique_ptr<Model> make_model(const schema::LaunchRequest& request, const c10::Device& device);

}  // namespace mpsbench::nn
