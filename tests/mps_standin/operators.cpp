#include "operators.hpp"

#include "mps_operators.hpp"  // made by list_operators.py

#include <ATen/native/CPUFallback.h>
#include <c10/util/Exception.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_set>

namespace mpsbench::standin {
namespace {

std::string full_name(const c10::OperatorHandle& op) {
  const std::string& overload = op.operator_name().overload_name;
  return op.operator_name().name + (overload.empty() ? "" : "." + overload);
}

bool falls_back() {
  const char* text = std::getenv("PYTORCH_ENABLE_MPS_FALLBACK");
  return text != nullptr && std::string_view(text) == "1";
}

}  // namespace

bool is_listed(const c10::OperatorHandle& op) {
  static const std::unordered_set<std::string> all(std::begin(kMpsOperators), std::end(kMpsOperators));
  constexpr std::string_view kSpace = "aten::";
  const std::string name = full_name(op);
  return name.starts_with(kSpace) && all.count(name.substr(kSpace.size())) > 0;
}

void run_unlisted(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const std::string name = full_name(op);
  TORCH_CHECK_NOT_IMPLEMENTED(
      falls_back(), "The operator '", name,
      "' is not currently implemented for the MPS device. If you want this op to be considered for addition "
      "please comment on https://github.com/pytorch/pytorch/issues/141287 and mention use-case, that "
      "resulted "
      "in missing op as well as commit hash. As a temporary fix, you can set the environment variable "
      "`PYTORCH_ENABLE_MPS_FALLBACK=1` to use the CPU as a fallback for this op. WARNING: this will be "
      "slower "
      "than running natively on MPS.");
  TORCH_WARN_ONCE("The operator '", name,
                  "' is not currently supported on the MPS backend and will fall back to run on the CPU. This "
                  "may have performance implications.");
  at::native::cpu_fallback(op, stack);
}

}  // namespace mpsbench::standin
