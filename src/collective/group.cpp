#include "collective/group.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/hex.hpp"
#include "collective/peers.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <chrono>
#include <utility>

namespace mpsbench::collective {
namespace {

std::chrono::milliseconds timeout_of(const schema::GroupPlace& place) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(place.timeout_seconds * 1000));
}

base::Error cannot_meet(const schema::GroupPlace& place, const c10::Error& error) {
  const std::string reason = error.what_without_backtrace();
  return {base::ErrorKind::incomplete,
          "cannot meet the other processes at " + place.address + ":" + std::to_string(place.port) +
              "; raise --rendezvous-timeout if they need longer (" + base::first_line(reason) + ")"};
}

c10::intrusive_ptr<c10d::Store> open_store(const schema::GroupPlace& place) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(place.port);
  options.isServer = place.rank == 0 && !place.prefix;
  if (options.isServer) options.masterListenFd = schema::kGroupDescriptor;
  if (!place.prefix) options.numWorkers = static_cast<std::size_t>(place.ranks);
  options.waitWorkers = !place.prefix;
  options.timeout = timeout_of(place);
  try {
    const auto store = c10::make_intrusive<c10d::TCPStore>(place.address, options);
    if (!place.prefix) return store;
    return c10::make_intrusive<c10d::PrefixStore>(*place.prefix, store);
  } catch (const c10::Error& error) {
    throw cannot_meet(place, error);
  }
}

// Claims GPU for this member, because two on one GPU would only share its speed. NCCL refuses that when it
// first averages, which inference does not do.
c10::intrusive_ptr<c10d::Store> with_claimed_gpu(c10::intrusive_ptr<c10d::Store> store, int rank,
                                                 const std::optional<std::string>& gpu) {
  if (gpu && store->add("gpu/" + *gpu, 1) > 1)
    throw base::usage_error("rank " + std::to_string(rank) +
                            " has the same GPU as another rank; give each a GPU of its own: unset "
                            "CUDA_VISIBLE_DEVICES, or let it show another one to each");
  return store;
}

}  // namespace

Group::Group(c10::intrusive_ptr<c10d::Store> store, int rank, int ranks, const GroupOptions& options)
    : store_(with_claimed_gpu(std::move(store), rank, options.gpu)),
      host_(c10::make_intrusive<TcpBackend>(*store_, rank, ranks, options.patience, options.host, options.on_lost)),
      device_(options.device.is_cpu() ? nullptr : open_nccl(store_, rank, ranks, options.device)) {
  const std::string clock = base::steady_clock_name();
  shares_clock_ = have_same(base::sha256_hex(clock)) && !clock.empty();
}

void Group::copy_from_first(const at::Tensor& tensor) {
  std::vector<at::Tensor> tensors{tensor.contiguous()};
  backend().broadcast(tensors)->wait();
  const at::NoGradGuard no_grad;  // the tensor may be a parameter
  tensor.copy_(tensors.front());
}

c10::intrusive_ptr<c10d::Work> Group::average(std::vector<at::Tensor>& tensors) {
  c10d::AllreduceCoalescedOptions options;
  options.reduceOp = c10d::ReduceOp::AVG;
  return device_ != nullptr ? device_->allreduce_coalesced(tensors, options) : host_->allreduce(tensors, options);
}

void Group::take_largest(std::span<double> numbers) {
  std::vector<at::Tensor> tensors{
      at::from_blob(numbers.data(), {static_cast<std::int64_t>(numbers.size())}, at::kDouble)};
  c10d::AllreduceOptions options;
  options.reduceOp = c10d::ReduceOp::MAX;
  host_->allreduce(tensors, options)->wait();
}

bool Group::are_equal(const std::vector<at::Tensor>& tensors) {
  std::string sums;
  for (const at::Tensor& tensor : tensors) {
    const at::Tensor values = tensor.detach().cpu().contiguous();
    sums += base::sha256_hex({static_cast<const char*>(values.const_data_ptr()), values.nbytes()});
  }
  return have_same(base::sha256_hex(sums));
}

// The largest and the smallest of all members are one.
bool Group::have_same(const std::string& sha256) {
  constexpr std::size_t kDigits = 8;  // hexadecimal ones, whose number a double holds exactly
  std::vector<double> parts;
  for (std::size_t begin = 0; begin < sha256.size(); begin += kDigits)
    parts.push_back(static_cast<double>(std::stoul(sha256.substr(begin, kDigits), nullptr, 16)));
  std::vector<double> both = parts;
  for (const double part : parts) both.push_back(-part);
  take_largest(both);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (both[i] != -both[i + parts.size()]) return false;
  }
  return true;
}

std::unique_ptr<Group> meet(const schema::GroupPlace& place, const c10::Device& device, std::optional<std::string> gpu,
                            LostCall on_lost) {
  const GroupOptions options{.patience = {.meeting = timeout_of(place)},
                             .host = own_address(place.address, place.port),
                             .device = device,
                             .gpu = std::move(gpu),
                             .on_lost = std::move(on_lost)};
  const auto store = open_store(place);
  try {
    return std::make_unique<Group>(store, static_cast<int>(place.rank), static_cast<int>(place.ranks), options);
  } catch (const c10::DistStoreError& error) {
    throw cannot_meet(place, error);
  } catch (const c10::DistNetworkError& error) {
    throw cannot_meet(place, error);  // rank 0, which keeps the store, is lost
  }
}

}  // namespace mpsbench::collective
