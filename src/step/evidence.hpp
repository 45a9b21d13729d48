// What is learned from a first step: its results, so that other programs can check our numerics, and its
// attention kernels.
#pragma once

#include "input/data/batches.hpp"
#include "nn/parameters.hpp"
#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::step {

// The results of the first step, which fills it.
class Evidence {
 public:
  enum class Keeps { all, output };

  explicit Evidence(const schema::NetworkPlan& plan, Keeps keeps = Keeps::all);

  // Inputs keep the model's names for them. If LOSS is undefined, it was an inference step, which has no
  // target, loss or gradients.
  void take(const data::Batch& batch, const at::Tensor& logits, const at::Tensor& loss,
            const nn::Parameters& parameters);

  // Writes the inputs, "target", "logits", "loss" and "grad.NAME" to a safetensors file.
  void write(const std::string& path) const;

  // Whether all numbers of the logits are finite. Not before the first step.
  [[nodiscard]] bool is_output_finite() const;

 private:
  void add(const std::string& name, const at::Tensor& tensor);

  Keeps keeps_;
  at::Tensor output_;
  std::vector<std::string> input_names_;
  std::vector<std::pair<std::string, at::Tensor>> tensors_;
};

// Finds out which attention kernel a step really uses. LibTorch chooses it by shapes while the step runs.
// Watches this thread's operations as long as the object exists. Only one may exist at a time. It checks the
// name of every operation, which takes time, so use it only for a step that is not a sample.
class AttentionWatch {
 public:
  AttentionWatch();
  ~AttentionWatch();
  AttentionWatch(const AttentionWatch&) = delete;
  AttentionWatch& operator=(const AttentionWatch&) = delete;

  // Returns "flash", "efficient", "cudnn", "mps", "math" or "fused", or several joined by "+". Empty if there
  // was no attention.
  [[nodiscard]] std::string backend() const;

 private:
  static std::unique_ptr<at::ObserverContext> look(const at::RecordFunction& function);

  std::set<std::string> seen_;
  at::CallbackHandle handle_;
};

}  // namespace mpsbench::step
