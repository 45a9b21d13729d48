// A launch that cannot be trusted; what it found so far is kept.
#pragma once

#include "schema/launch.hpp"

#include <exception>
#include <utility>

namespace mpsbench::worker {

struct UntrustedLaunch : std::exception {
  explicit UntrustedLaunch(schema::Failure why) : failure(std::move(why)) {}
  schema::Failure failure;
};

}  // namespace mpsbench::worker
