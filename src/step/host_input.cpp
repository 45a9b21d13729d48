#include "step/host_input.hpp"

#include "base/error.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cstddef>

namespace mpsbench::step {

// Where the next batch arrives while the resident one is read.
struct HostInput::Lane {
  explicit Lane(const c10::Device& device)
      : guard(device.type()),
        copies(guard.getStreamFromGlobalPool(device)),
        sent(device.type()),
        taken(device.type()) {}

  [[nodiscard]] c10::Stream compute() const { return guard.getStream(copies.device()); }

  c10::impl::VirtualGuardImpl guard;
  c10::Stream copies;
  c10::Event sent;   // the staged batch has arrived
  c10::Event taken;  // and may be overwritten
  std::vector<at::Tensor> staged;
};

HostInput::HostInput(const data::Batch& resident, const device::Device& device) : resident_(resident.inputs) {
  if (!device.asynchronous()) {
    throw base::Error(base::ErrorKind::no_device,
                      "--input host: the CPU's batch is in host memory already; leave --input out");
  }
  resident_.push_back(resident.target);
  const bool overlapped = device.capabilities().copy_streams;
  for (const at::Tensor& tensor : resident_)
    host_.push_back(overlapped ? tensor.cpu().pin_memory() : tensor.cpu());
  if (!overlapped) return;
  lane_ = std::make_unique<Lane>(device.torch());
  for (const at::Tensor& tensor : resident_) lane_->staged.push_back(at::empty_like(tensor));
  device.synchronize();
  send();
}

HostInput::~HostInput() = default;

void HostInput::send() {
  const c10::StreamGuard on_copies(lane_->copies);
  for (std::size_t i = 0; i < host_.size(); ++i) lane_->staged[i].copy_(host_[i], /*non_blocking=*/true);
  lane_->sent.record(lane_->copies);
}

void HostInput::next() {
  const at::NoGradGuard no_grad;
  if (lane_ == nullptr) {
    for (std::size_t i = 0; i < host_.size(); ++i) resident_[i].copy_(host_[i], /*non_blocking=*/true);
    return;
  }
  const c10::Stream compute = lane_->compute();
  lane_->sent.block(compute);
  for (std::size_t i = 0; i < resident_.size(); ++i) resident_[i].copy_(lane_->staged[i], true);
  lane_->taken.record(compute);
  lane_->taken.block(lane_->copies);
  send();
}

}  // namespace mpsbench::step
