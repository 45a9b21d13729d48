// Plays a script's actions in order.
#pragma once

#include "fake_worker/script.hpp"

namespace mpsbench::fake_worker {

// Returns after the last action. Many actions never return.
void play(const Script& script);

}  // namespace mpsbench::fake_worker
