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
    c10::cuda::device_synchronize();  // what was made on the stream before is ready on this one
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

  // The rest of the eager ones and the one that is captured; the first step is not among them.
  [[nodiscard]] std::int64_t preparation_steps() const override { return kEagerSteps; }

 private:
  // Enough for lazily made tensors, handles and the search for the fastest convolutions.
  static constexpr std::int64_t kEagerSteps = 3;

  void capture() {
    stream_.synchronize();
    // The capture allocates from a pool of its own, and cannot take back what the eager steps left in theirs.
    at::getDeviceAllocator(stream_.device_type())->emptyCache();
    graph_.capture_begin();
    try {
      eager_->run();
      graph_.capture_end();
    } catch (const c10::Error& error) {
      abandon();
      const std::string words = error.what_without_backtrace();
      if (device::says_out_of_memory(words)) throw;
      throw base::Error(base::ErrorKind::no_device, "--engine graph: this step cannot be captured (" +
                                                        words.substr(0, words.find('\n')) +
                                                        "); use --engine eager");
    }
  }

  // Ends a capture that has failed, so that the stream can be used and waited for again.
  void abandon() {
    try {
      graph_.capture_end();
    } catch (const c10::Error& error) {  // says once more that it failed
      TORCH_WARN(error.what_without_backtrace());
    }
  }

  std::unique_ptr<measure::Step> eager_;
  c10::cuda::CUDAStream stream_;
  c10::cuda::CUDAStreamGuard
      current_;  // while this lives: a capture needs one of its own, and events stand there
  at::cuda::CUDAGraph graph_;
  std::int64_t steps_ = 0;
};

}  // namespace

std::unique_ptr<measure::Step> make_graph_step(std::unique_ptr<measure::Step> eager,
                                               const c10::Device& device) {
  return std::make_unique<GraphStep>(std::move(eager), device);
}

}  // namespace mpsbench::step
