#include "suite/settings.hpp"

#include "suite/option.hpp"

namespace mpsbench::suite {

const BatchChoice* BatchSizes::on(const schema::DeviceId& device) const {
  if (by_device.empty()) return &everywhere;
  const BatchChoice* of_kind = nullptr;
  for (const auto& [own, choice] : by_device) {
    if (own == device) return &choice;
    if (own == schema::DeviceId(device.kind)) of_kind = &choice;
  }
  return of_kind;
}

Settings Settings::overlaid_with(const Settings& above) const {
  Settings merged = *this;
  for (const Option& option : options()) option.overlay(merged, above);
  const bool has_epochs = above.of(&schema::CaseSpec::epochs).has();
  const bool has_iterations = above.of(&schema::CaseSpec::iterations).has();
  if (has_iterations && !has_epochs) merged.of_case.erase("epochs");
  if (has_epochs && !has_iterations) merged.of_case.erase("iterations");
  return merged;
}

}  // namespace mpsbench::suite
