// One point of a matrix: settings and definition -> a case that can be planned.
#pragma once

#include "model/definition.hpp"
#include "schema/report.hpp"
#include "suite/device_names.hpp"
#include "suite/settings.hpp"

#include <cstdint>
#include <string>

namespace mpsbench::suite {

// What the machine contributes.
struct Host {
  std::int64_t default_threads = 1;
  std::int64_t memory_bytes = 0;
  DeviceList devices;
};

// A point's coordinates on the axes that a matrix spans.
struct MatrixPoint {
  schema::Mode mode = schema::Mode::train;
  schema::DeviceId device;
  std::int64_t batch_size = 0;  // 0: the largest that runs, to be found
  schema::Precision precision = schema::Precision::fp32;
  schema::Engine engine = schema::Engine::eager;
};

// The id of the case at POINT, whether or not it can be planned.
[[nodiscard]] std::string point_id(const Settings& settings, const MatrixPoint& point,
                                   const model::Definition& definition, const Host& host);

// Throws Error(usage) for what does not fit together: a class count for a network without classes, a shape
// that is impossible at this batch size, weights of another network, a batch that cannot fit into memory.
[[nodiscard]] schema::PlannedCase resolve_case(const Settings& settings, const MatrixPoint& point,
                                               const model::Definition& definition, const Host& host);

}  // namespace mpsbench::suite
