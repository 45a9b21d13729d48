// Manual timing: queues windows of operations back to back and times each with the host's clock, until a
// synchronise of the device returns.
#pragma once

#include "operation.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace benchmark {
class State;
}

namespace mpsbench::ops {

struct OpsWindowRule {
  // Reading the clock and waiting for an idle device may take at most this share of a window.
  static constexpr double kMostOverhead = 0.001;
  static constexpr std::int64_t kMostOperations = 1 << 20;
};

// Returns the number of operations that a window needs. It is doubled from 1 until SECONDS_OF (the time of
// such a window) is long enough relative to OVERHEAD_SECONDS.
[[nodiscard]] std::int64_t operations_per_window(const std::function<double(std::int64_t)>& seconds_of,
                                                 double overhead_seconds);

// Keeps the tensors of one benchmark at a time. Google Benchmark calls each benchmark several times, and the
// tensors of all benchmarks together would not fit into a device's memory.
class Stopwatch {
 public:
  // Times BENCHMARK into STATE, where one iteration is one operation. If it fails, reports the failure in
  // STATE and counts it.
  void measure(const Benchmark& benchmark, ::benchmark::State& state);
  [[nodiscard]] int failures() const { return failures_; }

 private:
  struct Prepared {
    std::string name;
    Operation operation;
    std::int64_t per_window = 1;
  };

  const Prepared& prepare(const Benchmark& benchmark);
  void skip(::benchmark::State& state, const std::string& reason);

  std::optional<Prepared> prepared_;
  int failures_ = 0;
};

}  // namespace mpsbench::ops
