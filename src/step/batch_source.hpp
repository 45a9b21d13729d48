// Where batches come from, on the host.
#pragma once

#include "data/synthetic.hpp"

#include <functional>
#include <optional>

namespace mpsbench::step {

struct BatchSource {
  std::function<std::optional<data::Batch>()> next;  // none: the epoch is over
  std::function<void()> begin_epoch;
};

// The next batch; after the last of an epoch the first of another. Throws Error(usage) when an epoch has
// none.
[[nodiscard]] data::Batch take_batch(const BatchSource& source);

}  // namespace mpsbench::step
