// Plays a script's actions in order.
#pragma once

#include "fake_worker/script.hpp"

namespace mpsbench::fake_worker {

// Performs SCRIPT's actions. Some actions end or hang the process, so it may not return.
void play(const Script& script);

}  // namespace mpsbench::fake_worker
