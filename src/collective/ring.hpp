// TCP connections of a process to its two neighbours in a ring of all processes of a group.
#pragma once

#include "base/interface.hpp"
#include "collective/peers.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace c10d {
class Store;
}

namespace mpsbench::collective {

inline constexpr const char* kLoopback = "127.0.0.1";

class Ring : public base::Interface {
 public:
  // Sends SENT to the next rank and, at the same time, fills RECEIVED with what the previous rank sends; either may be
  // empty. Waits as long as the neighbours live. Throws Error(incomplete) with the number of a lost rank.
  virtual void exchange(std::span<const std::byte> sent, std::span<std::byte> received) = 0;

  // Tells the next rank that this one lives. Call this at every beat while there is nothing to exchange. Does
  // nothing if the next rank is lost: the next exchange says so.
  virtual void beat() = 0;

  // Takes the beats that have come. Returns why the previous rank is lost, or an empty text. Call this only
  // while there is nothing to exchange.
  [[nodiscard]] virtual std::string silence() = 0;
};

// Connects to the rank after RANK and accepts the rank before it. The ranks find each other through STORE, on
// which they must all open a ring. They can connect to HOST, an address of this machine; connections from
// other programs are refused. Throws Error(incomplete) with the number of a rank that does not come.
[[nodiscard]] std::unique_ptr<Ring> open_ring(c10d::Store& store, int rank, int ranks, const Patience& patience = {},
                                              const std::string& host = kLoopback);

}  // namespace mpsbench::collective
