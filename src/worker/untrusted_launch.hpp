// Thrown if a launch's results cannot be trusted. What it found so far is kept.
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
