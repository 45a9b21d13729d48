#include "collective/group.hpp"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include <cstdlib>
#include <exception>
#include <vector>

namespace mpsbench::collective {
namespace {

// LibTorch watches its process groups with threads that end the process if another one has ended. Here the
// front does that, and a watch that polls a store whose owner has finished only prints warnings.
void leave_watching_to_the_front() {
  constexpr int kKeep = 0;  // what the user has set
  ::setenv("TORCH_NCCL_ENABLE_MONITORING", "0", kKeep);
  ::setenv("TORCH_NCCL_DUMP_ON_TIMEOUT", "0", kKeep);
}

// Closes the connections, which waits for the other ranks. After an exception here they may wait for this
// rank in turn, so then everything stays open until the process ends.
void close(c10d::Backend* backend) {
  auto owner = c10::intrusive_ptr<c10d::ProcessGroupNCCL>::reclaim(static_cast<c10d::ProcessGroupNCCL*>(backend));
  if (std::uncaught_exceptions() > 0) {
    (void)owner.release();
  } else {
    owner->shutdown();
  }
}

}  // namespace

std::shared_ptr<c10d::Backend> open_nccl(const c10::intrusive_ptr<c10d::Store>& store, int rank, int ranks,
                                         const c10::Device& device) {
  leave_watching_to_the_front();
  const c10::DeviceGuard guard(device);
  auto group = c10::make_intrusive<c10d::ProcessGroupNCCL>(c10::make_intrusive<c10d::PrefixStore>("nccl", store), rank,
                                                           ranks, c10d::ProcessGroupNCCL::Options::create());
  // NCCL connects at the first operation.
  std::vector<at::Tensor> first{at::zeros({1}, at::TensorOptions(device))};
  group->allreduce(first)->wait();
  c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
  return {group.release(), close};
}

}  // namespace mpsbench::collective
