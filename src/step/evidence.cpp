#include "step/evidence.hpp"

#include "base/units.hpp"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <string_view>

namespace mpsbench::step {
namespace {

constexpr std::string_view kPrefix = "aten::_scaled_dot_product_";

// The set that the callback fills. It is a variable here because the callback takes no argument for it.
thread_local std::set<std::string>* watched = nullptr;

// Shortens "flash_attention_for_cpu" to "flash", "attention_math" to "math" and "attention_math_for_mps" to "mps".
std::string short_name(std::string_view kernel) {
  constexpr std::string_view kMath = "attention_math";
  if (kernel.starts_with(kMath)) return kernel.ends_with("_for_mps") ? "mps" : "math";
  return std::string(kernel.substr(0, kernel.find('_')));
}

}  // namespace

Evidence::Evidence(const schema::NetworkPlan& plan, Keeps keeps) : keeps_(keeps) {
  for (const schema::NetworkInput& input : plan.inputs) input_names_.push_back(input.name);
}

void Evidence::add(const std::string& name, const at::Tensor& tensor) {
  tensors_.emplace_back(name, tensor.detach().clone());
}

void Evidence::take(const data::Batch& batch, const at::Tensor& logits, const at::Tensor& loss,
                    const nn::Parameters& parameters) {
  output_ = logits.detach();
  if (keeps_ == Keeps::output) return;
  for (std::size_t i = 0; i < batch.inputs.size(); ++i) add(input_names_[i], batch.inputs[i]);
  add("logits", logits);
  if (!loss.defined()) return;
  add("target", batch.target);
  add("loss", loss);
  for (const nn::NamedTensor& parameter : parameters.all()) {
    if (parameter.tensor.grad().defined()) add("grad." + parameter.name, parameter.tensor.grad());
  }
}

void Evidence::write(const std::string& path) const {
  nn::write_safetensors(path, tensors_);
}

bool Evidence::is_output_finite() const {
  const c10::InferenceMode inference;  // the logits are a tensor of it
  return !output_.is_floating_point() || output_.isfinite().all().item<bool>();
}

std::unique_ptr<at::ObserverContext> AttentionWatch::look(const at::RecordFunction& function) {
  const std::string_view name = function.name();
  const bool backward = name.find("backward") != std::string_view::npos;
  if (watched != nullptr && name.starts_with(kPrefix) && !backward)
    watched->insert(short_name(name.substr(kPrefix.size())));
  return nullptr;
}

AttentionWatch::AttentionWatch()
    : handle_(at::addThreadLocalCallback(at::RecordFunctionCallback(look).scopes({at::RecordScope::FUNCTION}))) {
  watched = &seen_;
}

AttentionWatch::~AttentionWatch() {
  at::removeCallback(handle_);
  watched = nullptr;
}

std::string AttentionWatch::backend() const {
  return base::join(seen_, "+");
}

}  // namespace mpsbench::step
