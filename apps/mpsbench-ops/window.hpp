// The manual timing: windows of operations queued back to back, by the host's clock around a synchronise.
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
  // Reading the clock and waiting for an idle device may be this share of a window.
  static constexpr double kMostOverhead = 0.001;
  static constexpr std::int64_t kMostOperations = 1 << 20;
};

// Operations that a window needs: doubled from 1 until SECONDS_OF (a window of so many) is long enough.
[[nodiscard]] std::int64_t operations_per_window(const std::function<double(std::int64_t)>& seconds_of,
                                                 double overhead_seconds);

// Keeps the tensors of one benchmark at a time: Google Benchmark calls each several times, and those of all
// would not fit into a device's memory.
class Stopwatch {
 public:
  // Times BENCHMARK into STATE, whose iteration is one operation. A failure is said there, and counted.
  void measure(const Benchmark& benchmark, ::benchmark::State& state);
  [[nodiscard]] int failures() const { return failures_; }

 private:
  struct Prepared {
    std::string name;
    Operation operation;
    std::int64_t per_window = 1;
  };

  const Prepared& prepare(const Benchmark& benchmark);

  std::optional<Prepared> prepared_;
  int failures_ = 0;
};

}  // namespace mpsbench::ops
