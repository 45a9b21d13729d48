// Times a loop of another program by the rules of mpsbench. An installed tree has this header as
// <mpsbench/timing.hpp>, and its CMake target is mpsbench::timing. docs/library.md says which parts stay as
// they are.
#pragma once

#include "library/report.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace mpsbench {

using schema::DeviceId;
using schema::MeasureSpec;
using schema::Mode;
using schema::Precision;

// What is timed. The first group describes the work in the report; nothing checks it.
struct Loop {
  std::string name{};           // the report's model: 1 to 100 letters, digits (of any script), _, - and .
  std::int64_t batch_size = 1;  // rows (images, sentences) that a step processes
  Mode mode = Mode::infer;      // or Mode::train
  DeviceId device{};            // "cpu", "cuda", "cuda:1" or "mps"
  std::string device_name{};    // "NVIDIA H100"; not for the CPU, whose name is known
  Precision precision = Precision::fp32;
  std::int64_t threads = 0;  // required: with how many the loop computes on the CPU, 1 or more
  std::int64_t rows = 0;     // rows of an epoch, for its projected time; 0: an epoch is one batch

  MeasureSpec measure{};  // warm-up and stopping, in seconds; measure.max_time_seconds is 10

  // Only for a GPU, where both are required. synchronize() waits until the device has finished all its work.
  // read_result() returns a number that the last step computed. It shows whether synchronize() really waits.
  // In training it is the loss, on the CPU as well, and the report keeps it.
  std::function<void()> synchronize{};
  std::function<double()> read_result{};
};

// Runs STEP again and again: first until its times are steady, then until their median is known as precisely
// as loop.measure asks, or until the time is used up. Returns a report of one case with one launch. The times
// are in its metrics, in seconds per step. Throws Error(usage) if LOOP is wrong, Error(no_device) if
// synchronize() does not wait for the device, and what STEP throws. It writes one file, as mpsbench does: the
// random id in the name of this machine, in ~/.local/state/mpsbench.
[[nodiscard]] Report time_loop(const Loop& loop, const std::function<void()>& step);

}  // namespace mpsbench
