// Waits until the machine is calm: other programs hardly use it, and it no longer cools down.
#pragma once

#include "schema/device_id.hpp"
#include "sensor/source.hpp"
#include "supervise/interrupt.hpp"

#include <functional>
#include <optional>
#include <string>

namespace mpsbench::supervise {

// What is known of the machine at one time.
struct CalmReading {
  std::optional<double> busy_share;  // CPU time of all processes since the last reading, 0 ... 1
  std::optional<double> cpu_celsius;
  std::optional<double> gpu_celsius;  // the hottest GPU
};

// The greatest share that others may use, and the greatest fall of a temperature from one reading to the
// next.
inline constexpr double kCalmShare = 0.05;
inline constexpr double kCalmFallCelsius = 1;
struct CalmPatience {
  double interval_seconds = 1;
  double most_seconds = 60;
  bool ends_run = false;  // nothing starts after the most seconds
};

// Why the machine is not calm at NOW, for example "the CPU still cools down (71 °C)". Empty if it is calm.
[[nodiscard]] std::string unrest(const CalmReading& before, const CalmReading& now);

// Reads the sensors that tell whether work on DEVICE would be disturbed.
[[nodiscard]] std::function<CalmReading()> calm_reader(const schema::DeviceId& device,
                                                       const sensor::Places& places = {});

// Waits until READ shows a calm machine. If it is not calm after the most seconds, says why.
// Returns true if a signal has come.
[[nodiscard]] bool wait_for_calm(const std::function<CalmReading()>& read, Interrupt& interrupt,
                                 const CalmPatience& patience = {});

}  // namespace mpsbench::supervise
