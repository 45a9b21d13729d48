// Connects the front with those of the other ranks.
#pragma once

#include "schema/messages.hpp"
#include "worker/channel.hpp"

namespace mpsbench::worker {

// Passes messages on until the end of stdin, and then ends the process.
[[noreturn]] void connect_fronts(schema::RendezvousRequest request, Events& events);

}  // namespace mpsbench::worker
