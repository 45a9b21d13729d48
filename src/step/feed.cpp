#include "step/feed.hpp"

#include "base/error.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cstddef>

namespace mpsbench::step {
namespace {

std::vector<at::Tensor> tensors_of(const data::Batch& batch) {
  std::vector<at::Tensor> tensors = batch.inputs;
  tensors.push_back(batch.target);
  return tensors;
}

// Batches of texts may differ in length, and the last of an epoch in rows. TO first had the largest batch, so
// its memory is large enough.
void copy_all(const std::vector<at::Tensor>& from, const std::vector<at::Tensor>& to, bool non_blocking) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (to[i].sizes() != from[i].sizes()) to[i].resize_(from[i].sizes(), to[i].suggest_memory_format());
    to[i].copy_(from[i], non_blocking);
  }
}

class RepeatedBatch final : public data::Batches {
 public:
  explicit RepeatedBatch(data::Batch batch) : batch_(std::move(batch)) {}

  void begin_epoch() override {}
  [[nodiscard]] std::optional<data::Batch> next() override { return batch_; }

 private:
  data::Batch batch_;
};

}  // namespace

std::unique_ptr<data::Batches> repeat_from_host(const data::Batch& batch, const device::Device& device) {
  if (!device.asynchronous()) {
    throw base::Error(base::ErrorKind::no_device,
                      "--input host: on the CPU the batch already is in host memory; leave --input out");
  }
  const auto to_host = [pinned = device.capabilities().copy_streams](const at::Tensor& tensor) {
    return pinned ? tensor.cpu().pin_memory() : tensor.cpu();
  };
  data::Batch host;
  for (const at::Tensor& input : batch.inputs) host.inputs.push_back(to_host(input));
  host.target = to_host(batch.target);
  return std::make_unique<RepeatedBatch>(std::move(host));
}

// The copy stream, and the place where the next batch arrives while the step reads the resident one.
struct Feed::Lane {
  explicit Lane(const c10::Device& device)
      : guard(device.type()),
        copies(guard.getStreamFromGlobalPool(device)),
        sent(device.type()),
        taken(device.type()) {}

  [[nodiscard]] c10::Stream compute() const { return guard.getStream(copies.device()); }

  c10::impl::VirtualGuardImpl guard;
  c10::Stream copies;
  c10::Event sent;   // the staged batch has arrived
  c10::Event taken;  // the staged batch was taken and may be overwritten
  std::vector<at::Tensor> staged;
  std::vector<at::Tensor> on_the_way;  // the host's batch, kept until its copy has arrived
};

Feed::Feed(data::Batch& resident, std::unique_ptr<data::Batches> batches, const device::Device& device)
    : resident_(&resident), batches_(std::move(batches)), on_host_(!device.asynchronous()) {
  batches_->begin_epoch();
  if (!device.capabilities().copy_streams) return;
  lane_ = std::make_unique<Lane>(device.torch());
  for (const at::Tensor& tensor : tensors_of(resident)) lane_->staged.push_back(at::empty_like(tensor));
  device.synchronize();
  send();
}

Feed::~Feed() {
  if (lane_ == nullptr) return;
  try {
    lane_->sent.synchronize();
  } catch (const c10::Error& error) {  // the device is lost; the code that runs steps gets an error, too
    TORCH_WARN(error.what_without_backtrace());
  }
}

// The host waits for the previous copy, which waits for the step before it. So the host runs at most two steps ahead.
void Feed::send() {
  lane_->sent.synchronize();
  const std::optional<data::Batch> batch = batches_->next();
  lane_->on_the_way = batch ? tensors_of(*batch) : std::vector<at::Tensor>{};
  if (!batch) return;
  const c10::StreamGuard on_copies(lane_->copies);
  copy_all(lane_->on_the_way, lane_->staged, /*non_blocking=*/true);
  lane_->sent.record(lane_->copies);
}

void Feed::read_in_place() {
  const data::Batch batch = data::take_batch(*batches_);
  for (std::size_t i = 0; i < batch.inputs.size(); ++i)
    resident_->inputs[i] =
        batch.inputs[i].to(resident_->inputs[i].scalar_type()).contiguous(resident_->inputs[i].suggest_memory_format());
  resident_->target = batch.target;
}

void Feed::run() {
  const at::NoGradGuard no_grad;
  if (on_host_) return read_in_place();
  // This copy must block: otherwise MPS could read memory that is already freed.
  if (lane_ == nullptr)
    return copy_all(tensors_of(data::take_batch(*batches_)), tensors_of(*resident_), /*non_blocking=*/false);
  if (lane_->on_the_way.empty()) begin_epoch();
  if (lane_->on_the_way.empty()) (void)data::take_batch(*batches_);  // throws, because there is no batch
  const c10::Stream compute = lane_->compute();
  lane_->sent.block(compute);
  copy_all(lane_->staged, tensors_of(*resident_), /*non_blocking=*/true);
  lane_->taken.record(compute);
  lane_->taken.block(lane_->copies);
  send();
}

void Feed::begin_epoch() {
  batches_->begin_epoch();
  if (lane_ != nullptr) send();
}

}  // namespace mpsbench::step
