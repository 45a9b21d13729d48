#include "call.hpp"

#include "tensors.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/core/enum_tag.h>

#include <cstdint>
#include <functional>

namespace mpsbench::standin {
namespace {

void for_each_tensor(const c10::IValue& value, const std::function<void(const at::Tensor&)>& visit) {
  if (value.isTensor()) {
    visit(value.toTensor());
  } else if (value.isList()) {
    for (const c10::IValue& one : value.toListRef()) for_each_tensor(one, visit);
  }
}

at::Tensor host_tensor(const at::Tensor& tensor) {
  if (!tensor.defined()) return tensor;
  if (tensor.is_mps()) return on_host(tensor);
  at::Tensor copy = tensor.clone();
  copy.unsafeGetTensorImpl()->set_wrapped_number(tensor.unsafeGetTensorImpl()->is_wrapped_number());
  return copy;
}

c10::IValue host_value(const c10::IValue& value) {
  if (value.isTensor()) return host_tensor(value.toTensor());
  if (value.isTensorList()) {
    c10::List<at::Tensor> tensors;
    for (const at::Tensor& one : value.toTensorVector()) tensors.push_back(host_tensor(one));
    return tensors;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> tensors;
    for (const std::optional<at::Tensor>& one : value.toOptionalTensorVector())
      tensors.push_back(one ? std::optional(host_tensor(*one)) : std::nullopt);
    return tensors;
  }
  return value;
}

bool takes_generator(const c10::Argument& argument) {
  return argument.type()->str().find("Generator") != std::string::npos;
}

template <class T>
void append(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void append_tensor(std::string& key, const at::Tensor& tensor) {
  if (!tensor.defined()) {
    key += 'u';
    return;
  }
  key += tensor.is_mps() ? 't' : (tensor.unsafeGetTensorImpl()->is_wrapped_number() ? 'w' : 'c');
  append(key, tensor.scalar_type());
  append(key, tensor.dim());
  for (const std::int64_t size : tensor.sizes()) append(key, size);
  for (const std::int64_t stride : tensor.strides()) append(key, stride);
}

// Returns false for a type of value that is not handled here.
bool append_value(std::string& key, const c10::IValue& value) {
  if (value.isTensor()) {
    append_tensor(key, value.toTensor());
  } else if (value.isNone() || value.isGenerator()) {
    key += 'n';
  } else if (value.isInt()) {
    key += 'i';
    append(key, value.toInt());
  } else if (value.isDouble()) {
    key += 'd';
    append(key, value.toDouble());
  } else if (value.isBool()) {
    key += value.toBool() ? 'y' : 'f';
  } else if (value.isString()) {
    key += 's' + value.toStringRef() + '\0';
  } else if (value.isDevice()) {
    key += 'v';
  } else if (value.isList()) {
    key += '[';
    for (const c10::IValue& one : value.toList()) {
      if (!append_value(key, one)) return false;
    }
    key += ']';
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::vector<std::size_t> written_tensors(const c10::FunctionSchema& schema) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    const bool is_written = argument.alias_info() != nullptr && argument.alias_info()->isWrite();
    if (is_written && argument.type()->kind() == c10::TypeKind::TensorType) numbers.push_back(i);
  }
  return numbers;
}

void require_one_device(const Arguments& arguments) {
  for (const c10::IValue& argument : arguments) {
    for_each_tensor(argument, [](const at::Tensor& tensor) {
      TORCH_CHECK(!tensor.defined() || tensor.is_mps() || tensor.dim() == 0,
                  "Expected all tensors to be on the same device, but found at least two devices, mps:0 and ",
                  tensor.device(), "!");
    });
  }
}

Arguments host_arguments(const c10::FunctionSchema& schema, const Arguments& arguments) {
  Arguments all;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool draws = takes_generator(schema.arguments()[i]) && arguments[i].isNone();
    all.push_back(draws ? c10::IValue(default_generator()) : host_value(arguments[i]));
  }
  return all;
}

std::optional<std::string> call_key(const c10::OperatorHandle& op, const Arguments& arguments) {
  if (op.hasTag(at::Tag::dynamic_output_shape) || op.hasTag(at::Tag::data_dependent_output)) return std::nullopt;
  std::string key = op.operator_name().name + '.' + op.operator_name().overload_name + '\0';
  for (const c10::IValue& argument : arguments) {
    if (!append_value(key, argument)) return std::nullopt;
  }
  return key;
}

}  // namespace mpsbench::standin
