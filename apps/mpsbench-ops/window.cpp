#include "window.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "device/libtorch_errors.hpp"
#include "measure/timer.hpp"

#include <benchmark/benchmark.h>
#include <c10/util/Exception.h>

namespace mpsbench::ops {
namespace {

void queue(const Operation& operation, std::int64_t count) {
  if (operation.run_times) return operation.run_times(count);
  for (std::int64_t i = 0; i < count; ++i) operation.run();
}

double window_seconds(const Operation& operation, const device::Device& device, std::int64_t count) {
  const double start = base::steady_seconds();
  queue(operation, count);
  device.synchronize();
  return base::steady_seconds() - start;
}

// Returns the time that a window costs in addition to its operations.
double overhead_seconds(const device::Device& device) {
  return device.asynchronous() ? round_trip_seconds(device) : measure::measure_clock_cost_seconds();
}

std::string reason(const c10::Error& error) {
  const std::string text = error.what_without_backtrace();
  if (device::says_out_of_memory(text)) return device::out_of_memory_message(text);
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::int64_t operations_per_window(const std::function<double(std::int64_t)>& seconds_of, double overhead_seconds) {
  const double wanted = overhead_seconds / OpsWindowRule::kMostOverhead;
  std::int64_t count = 1;
  while (count < OpsWindowRule::kMostOperations && seconds_of(count) < wanted) count *= 2;
  return count;
}

const Stopwatch::Prepared& Stopwatch::prepare(const Benchmark& benchmark) {
  if (prepared_ && prepared_->name == benchmark.name) return *prepared_;
  prepared_.reset();
  const device::Device& device = *benchmark.device;
  step::set_backend(benchmark.precision, true);
  Prepared next{benchmark.name, benchmark.make()};
  queue(next.operation, 1);  // loads kernels and lets libraries search for the fastest one
  device.synchronize();
  next.per_window = operations_per_window(
      [&](std::int64_t count) { return window_seconds(next.operation, device, count); }, overhead_seconds(device));
  return prepared_.emplace(std::move(next));
}

void Stopwatch::measure(const Benchmark& benchmark, ::benchmark::State& state) {
  try {
    const Prepared& prepared = prepare(benchmark);
    const Operation& operation = prepared.operation;
    while (state.KeepRunningBatch(prepared.per_window))
      state.SetIterationTime(window_seconds(operation, *benchmark.device, prepared.per_window));
    if (operation.flops > 0) {
      state.counters["flops_per_second"] =
          ::benchmark::Counter(operation.flops, ::benchmark::Counter::kIsIterationInvariantRate);
    }
    if (operation.bus_bytes > 0) {
      state.counters["bus_bytes_per_second"] =
          ::benchmark::Counter(operation.bus_bytes, ::benchmark::Counter::kIsIterationInvariantRate);
    }
    if (operation.bytes > 0) {
      state.SetBytesProcessed(static_cast<std::int64_t>(operation.bytes * static_cast<double>(state.iterations())));
    }
  } catch (const c10::Error& error) {
    skip(state, reason(error));
  } catch (const base::Error& error) {
    skip(state, error.what());
  }
}

void Stopwatch::skip(::benchmark::State& state, const std::string& reason) {
  ++failures_;
  prepared_.reset();
  state.SkipWithError(reason.c_str());
}

}  // namespace mpsbench::ops
