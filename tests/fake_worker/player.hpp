// Plays a script's actions in order.
#pragma once

#include "fake_worker/script.hpp"

namespace mpsbench::fake_worker {

// Returns when the last action is done; many actions never return.
void play(const Script& script);

}  // namespace mpsbench::fake_worker
