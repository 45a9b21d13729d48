#include "call.hpp"
#include "queue.hpp"
#include "tensors.hpp"

#include <ATen/core/Tensor.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mpsbench::standin {
namespace {

using Stack = torch::jit::Stack;

// The results of an operator are planned before it is computed, from its first call with the same shapes.

// One returned value.
struct PlannedResult {
  std::optional<std::size_t> argument;         // if set, this argument is returned
  bool is_list = false;                        // otherwise one tensor
  std::vector<std::optional<Layout>> tensors;  // nullopt for an undefined tensor

  friend bool operator==(const PlannedResult&, const PlannedResult&) = default;
};

struct NetworkPlan {
  std::vector<PlannedResult> results;
  std::vector<std::pair<std::size_t, Layout>> written;  // changed arguments, and their layouts afterwards

  friend bool operator==(const NetworkPlan&, const NetworkPlan&) = default;
};

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

// Makes a plan from the arguments in HOST, after the CPU's kernel changed them, and what it returned. Returns
// nullopt if it returned anything other than tensors.
std::optional<NetworkPlan> plan_of(const c10::FunctionSchema& schema, const Arguments& host, const Stack& returned) {
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

// Returns the results of a call: new tensors on the device, and the returned ones of ARGUMENTS.
Stack allocate_results(const NetworkPlan& plan, const Arguments& arguments) {
  Stack results;
  for (const PlannedResult& result : plan.results)
    results.push_back(result.argument ? arguments[*result.argument] : allocate(result));
  return results;
}

// Returns all tensors of RESULTS that are new according to PLAN, in order. Some may be undefined.
std::vector<at::Tensor> new_tensors(const NetworkPlan& plan, const Stack& results) {
  std::vector<at::Tensor> all;
  for (std::size_t i = 0; i < plan.results.size(); ++i) {
    if (plan.results[i].argument) continue;
    for (const at::Tensor& tensor : tensors_in(results[i], plan.results[i].is_list)) all.push_back(tensor);
  }
  return all;
}

// Plans by the key of their call. The host's thread and autograd's thread both use them.
class Plans {
 public:
  std::shared_ptr<const NetworkPlan> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(key);
    return found == all_.end() ? nullptr : found->second;
  }
  void add(const std::string& key, const NetworkPlan& plan) {
    const std::lock_guard lock(mutex_);
    all_.emplace(key, std::make_shared<const NetworkPlan>(plan));
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const NetworkPlan>> all_;
};

Plans& plans() {
  static auto* all = new Plans;
  return *all;
}

Stack call_kernel(const c10::OperatorHandle& op, const Arguments& host) {
  Stack stack = host;
  op.callBoxed(&stack);
  return stack;
}

std::vector<at::Tensor> all_on_host(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> host;
  for (const at::Tensor& tensor : tensors) host.push_back(tensor.defined() ? on_host(tensor) : tensor);
  return host;
}

void copy_all(const std::vector<at::Tensor>& from, const std::vector<at::Tensor>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i].defined()) to[i].copy_(from[i]);
  }
}

// If the kernel changed the shape of an out= argument, changes the device's tensor, too.
void follow(const NetworkPlan& plan, const Arguments& arguments, const Arguments& host) {
  for (const auto& [number, layout] : plan.written) {
    const at::Tensor& tensor = arguments[number].toTensor();
    if (layout_of(tensor) == layout) continue;
    resize_to(tensor, layout);
    Queue::instance().push([to = on_host(tensor), from = host[number].toTensor()] { to.copy_(from); });
  }
}

Stack run_now(const c10::OperatorHandle& op, const Arguments& arguments, const std::optional<std::string>& key) {
  const Arguments host = host_arguments(op.schema(), arguments);
  Stack returned;
  Queue::instance().run([&] { returned = call_kernel(op, host); });
  const auto plan = plan_of(op.schema(), host, returned);
  if (!plan) return returned;
  follow(*plan, arguments, host);
  Stack results = allocate_results(*plan, arguments);
  Queue::instance().push(
      [from = new_tensors(*plan, returned), to = all_on_host(new_tensors(*plan, results))] { copy_all(from, to); });
  if (key) plans().add(*key, *plan);
  return results;
}

Stack run_later(const c10::OperatorHandle& op, const Arguments& arguments,
                const std::shared_ptr<const NetworkPlan>& plan) {
  for (const auto& [number, layout] : plan->written) resize_to(arguments[number].toTensor(), layout);
  Stack results = allocate_results(*plan, arguments);
  Queue::instance().push(
      [op, plan, host = host_arguments(op.schema(), arguments), to = all_on_host(new_tensors(*plan, results))] {
        const Stack returned = call_kernel(op, host);
        TORCH_INTERNAL_ASSERT(plan_of(op.schema(), host, returned) == *plan, op.operator_name(),
                              " returned other shapes than in its first call");
        copy_all(new_tensors(*plan, returned), to);
      });
  return results;
}

}  // namespace

void run_on_queue(const c10::OperatorHandle& op, Stack* stack) {
  const std::size_t count = op.schema().arguments().size();
  const Arguments arguments = torch::jit::pop(*stack, count);
  require_one_device(arguments);
  const auto key = call_key(op, arguments);
  const auto plan = key ? plans().find(*key) : nullptr;
  for (c10::IValue& result : plan ? run_later(op, arguments, plan) : run_now(op, arguments, key))
    stack->push_back(std::move(result));
}

}  // namespace mpsbench::standin
