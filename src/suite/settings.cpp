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
  if (above.iterations.has() && !above.epochs.has()) merged.epochs.clear();
  if (above.epochs.has() && !above.iterations.has()) merged.iterations.clear();
  return merged;
}

}  // namespace mpsbench::suite
