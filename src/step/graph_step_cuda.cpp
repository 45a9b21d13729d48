#include "base/error.hpp"
#include "device/out_of_memory.hpp"
#include "step/graph_step.hpp"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>

#include <optional>
#include <string>
#include <utility>

namespace mpsbench::step {
namespace {

class GraphStep final : public measure::Step {
 public:
  GraphStep(std::unique_ptr<measure::Step> eager, const c10::Device& device)
      : eager_(std::move(eager)),
        stream_(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index())),
        current_(stream_) {
    c10::cuda::device_synchronize();  // this stream uses results of the previous one
  }

  void run() override {
    if (steps_ < kEagerSteps) {
      eager_->run();
    } else {
      if (steps_ == kEagerSteps) capture();
      graph_.replay();
    }
    ++steps_;
  }

  std::optional<double> loss() override { return eager_->loss(); }

  // The other eager steps and the captured one. The first step is not counted.
  [[nodiscard]] std::int64_t preparation_steps() const override { return kEagerSteps; }

 private:
  // Enough steps to create lazy tensors and handles and to search for the fastest convolutions.
  static constexpr std::int64_t kEagerSteps = 3;

  void capture() {
    stream_.synchronize();
    // The capture allocates from a separate pool and cannot reuse what the eager steps left in theirs.
    at::getDeviceAllocator(stream_.device_type())->emptyCache();
    graph_.capture_begin();
    try {
      eager_->run();
      graph_.capture_end();
    } catch (const c10::Error& error) {
      abandon();
      const std::string words = error.what_without_backtrace();
      if (device::says_out_of_memory(words)) throw;
      throw base::Error(base::ErrorKind::no_device, "this step cannot be captured as a CUDA graph (" +
                                                        words.substr(0, words.find('\n')) +
                                                        "); use --engine eager");
    }
  }

  // Ends a failed capture, so that the stream can be used again.
  void abandon() {
    try {
      graph_.capture_end();
    } catch (const c10::Error& error) {  // repeats that the capture failed
      TORCH_WARN(error.what_without_backtrace());
    }
  }

  std::unique_ptr<measure::Step> eager_;
  c10::cuda::CUDAStream stream_;
  c10::cuda::CUDAStreamGuard
      current_;  // makes stream_ current: a capture needs a separate stream, and events are recorded on it
  at::cuda::CUDAGraph graph_;
  std::int64_t steps_ = 0;
};

}  // namespace

std::unique_ptr<measure::Step> make_graph_step(std::unique_ptr<measure::Step> eager,
                                               const c10::Device& device) {
  return std::make_unique<GraphStep>(std::move(eager), device);
}

}  // namespace mpsbench::step
