// NCCL, which connects CUDA devices. It is part of LibTorch for CUDA, but not of every build of mpsbench.
#pragma once

#include <c10/core/Device.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <memory>

namespace mpsbench::collective {

// Connects DEVICE, a CUDA device that is open, with those of the other ranks, which all call this. Operations
// are queued on a stream of NCCL's own: wait() makes the current stream wait for them, not the host. Throws
// Error(no_device) if this build has no NCCL, and c10::Error if the devices cannot be connected.
[[nodiscard]] std::shared_ptr<c10d::Backend> open_nccl(const c10::intrusive_ptr<c10d::Store>& store, int rank,
                                                       int ranks, const c10::Device& device);

}  // namespace mpsbench::collective
