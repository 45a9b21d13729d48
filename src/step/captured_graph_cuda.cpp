#include "step/engine.hpp"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/util/Exception.h>

#include <memory>

namespace mpsbench::step {
namespace {

class CudaGraph final : public CapturedGraph {
 public:
  explicit CudaGraph(const std::function<void()>& queue) : graph_(std::make_unique<at::cuda::CUDAGraph>()) {
    // In another mode, what other threads do with their devices would end the capture.
    graph_->capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    try {
      queue();
      graph_->capture_end();
    } catch (...) {
      abandon();
      throw;
    }
  }

  void replay() override { graph_->replay(); }

 private:
  // Ends a failed capture, so that the stream can be used again.
  void abandon() {
    try {
      graph_->capture_end();
    } catch (const c10::Error& error) {  // repeats that the capture failed
      TORCH_WARN(error.what_without_backtrace());
      // LibTorch's allocators still refer to it.
      [[maybe_unused]] const at::cuda::CUDAGraph* left_to_the_allocators = graph_.release();
    }
  }

  std::unique_ptr<at::cuda::CUDAGraph> graph_;
};

}  // namespace

std::unique_ptr<CapturedGraph> capture(const std::function<void()>& queue) {
  return std::make_unique<CudaGraph>(queue);
}

}  // namespace mpsbench::step
