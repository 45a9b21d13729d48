#include "results.hpp"

#include <ATen/core/Tensor.h>

namespace mpsbench::standin {
namespace {

std::optional<Layout> layout_if_defined(const at::Tensor& tensor) {
  return tensor.defined() ? std::optional(layout_of(tensor)) : std::nullopt;
}

// Returns the number of the argument that RETURNED is an alias of.
std::optional<std::size_t> argument_of(const c10::FunctionSchema& schema, const c10::Argument& returned) {
  if (returned.alias_info() == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < schema.arguments().size() && returned.alias_info()->isWrite(); ++i) {
    const c10::AliasInfo* alias = schema.arguments()[i].alias_info();
    if (alias != nullptr && *alias == *returned.alias_info()) return i;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(false, "the stand-in does not support the view '", schema.operator_name(), "'");
}

std::vector<at::Tensor> tensors_in(const c10::IValue& value, bool is_list) {
  return is_list ? value.toTensorVector() : std::vector<at::Tensor>{value.toTensor()};
}

c10::IValue allocate(const PlannedResult& result) {
  std::vector<at::Tensor> tensors;
  for (const std::optional<Layout>& layout : result.tensors)
    tensors.push_back(layout ? make_tensor(*layout) : at::Tensor());
  if (!result.is_list) return tensors.front();
  return c10::List<at::Tensor>(tensors);
}

}  // namespace

std::optional<NetworkPlan> plan_of(const c10::FunctionSchema& schema, const Arguments& host,
                                   const torch::jit::Stack& returned) {
  NetworkPlan plan;
  for (const std::size_t number : written_tensors(schema)) {
    if (host[number].isTensor() && host[number].toTensor().defined())
      plan.written.emplace_back(number, layout_of(host[number].toTensor()));
  }
  for (std::size_t i = 0; i < returned.size(); ++i) {
    PlannedResult result{
        .argument = argument_of(schema, schema.returns()[i]), .is_list = returned[i].isTensorList(), .tensors = {}};
    if (!result.is_list && !returned[i].isTensor()) return std::nullopt;
    if (!result.argument) {
      for (const at::Tensor& tensor : tensors_in(returned[i], result.is_list))
        result.tensors.push_back(layout_if_defined(tensor));
    }
    plan.results.push_back(std::move(result));
  }
  return plan;
}

torch::jit::Stack allocate_results(const NetworkPlan& plan, const Arguments& arguments) {
  torch::jit::Stack results;
  for (const PlannedResult& result : plan.results)
    results.push_back(result.argument ? arguments[*result.argument] : allocate(result));
  return results;
}

std::vector<at::Tensor> new_tensors(const NetworkPlan& plan, const torch::jit::Stack& results) {
  std::vector<at::Tensor> all;
  for (std::size_t i = 0; i < plan.results.size(); ++i) {
    if (plan.results[i].argument) continue;
    for (const at::Tensor& tensor : tensors_in(results[i], plan.results[i].is_list)) all.push_back(tensor);
  }
  return all;
}

}  // namespace mpsbench::standin
