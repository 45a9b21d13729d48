#include "suite/settings.hpp"

#include "suite/option.hpp"

namespace mpsbench::suite {

Settings Settings::overlaid_with(const Settings& above) const {
  Settings merged = *this;
  for (const Option& option : options()) option.overlay(merged, above);
  if (above.iterations.has() && !above.epochs.has()) merged.epochs.clear();
  if (above.epochs.has() && !above.iterations.has()) merged.iterations.clear();
  return merged;
}

}  // namespace mpsbench::suite
