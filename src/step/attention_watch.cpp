#include "step/attention_watch.hpp"

#include <memory>
#include <string_view>

namespace mpsbench::step {
namespace {

constexpr std::string_view kPrefix = "aten::_scaled_dot_product_";

// The set that the callback fills. It is a variable here because the callback takes no argument for it.
thread_local std::set<std::string>* watched = nullptr;

// Shortens "flash_attention_for_cpu" to "flash", "attention_math" to "math" and "attention_math_for_mps" to
// "mps".
std::string short_name(std::string_view kernel) {
  constexpr std::string_view kMath = "attention_math";
  if (kernel.starts_with(kMath)) return kernel.ends_with("_for_mps") ? "mps" : "math";
  return std::string(kernel.substr(0, kernel.find('_')));
}

}  // namespace

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
  std::string text;
  for (const std::string& name : seen_) text += (text.empty() ? "" : "+") + name;
  return text;
}

}  // namespace mpsbench::step
