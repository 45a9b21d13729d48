#include "on_queue.hpp"

#include "call.hpp"
#include "queue.hpp"
#include "results.hpp"
#include "tensors.hpp"

#include <ATen/core/Tensor.h>

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace mpsbench::standin {
namespace {

using Stack = torch::jit::Stack;

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
