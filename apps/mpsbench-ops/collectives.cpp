#include "operation.hpp"
#include "rank_threads.hpp"
#include "step/engine.hpp"

#include <ATen/ATen.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <array>
#include <memory>
#include <utility>

namespace mpsbench::ops {
namespace {

using Tensors = std::vector<at::Tensor>;

// What one rank does: queues the operation on TENSOR, and waits for it as the next operation on the device
// would. Like PyTorch's usual calls, NCCL's operations are not asynchronous: they use the stream of the
// others.
struct Collective {
  const char* name;
  void (*queue)(c10d::Backend& backend, at::Tensor& tensor);
  double (*share)(double ranks);  // of the tensor's bytes that each connection must carry
};

// NCCL gives no WORK for an operation that is not asynchronous.
void wait(const c10::intrusive_ptr<c10d::Work>& work) {
  if (work) work->wait();
}

void all_reduce(c10d::Backend& backend, at::Tensor& tensor) {
  Tensors tensors{tensor};
  c10d::AllreduceOptions options;
  options.asyncOp = false;
  wait(backend.allreduce(tensors, options));
}

// Each rank has its part of TENSOR and gets the others.
void all_gather(c10d::Backend& backend, at::Tensor& tensor) {
  const std::int64_t part = tensor.numel() / backend.getSize();
  at::Tensor own = tensor.narrow(0, backend.getRank() * part, part);
  c10d::AllgatherOptions options;
  options.asyncOp = false;
  wait(backend._allgather_base(tensor, own, options));
}

void broadcast(c10d::Backend& backend, at::Tensor& tensor) {
  Tensors tensors{tensor};
  c10d::BroadcastOptions options;
  options.asyncOp = false;
  wait(backend.broadcast(tensors, options));
}

double all_reduce_share(double ranks) {
  return 2 * (ranks - 1) / ranks;
}

// The shares are those of nccl-tests, so that figures can be compared.
constexpr std::array kCollectives{
    Collective{"all_reduce", all_reduce, all_reduce_share},
    Collective{"all_gather", all_gather, [](double ranks) { return (ranks - 1) / ranks; }},
    Collective{"broadcast", broadcast, [](double) { return 1.0; }}};

struct Size {
  const char* name;
  std::int64_t bytes;
};

constexpr std::array kSizes{Size{"4KiB", 4 << 10}, Size{"64KiB", 64 << 10}, Size{"256KiB", 256 << 10},
                            Size{"1MiB", 1 << 20}, Size{"2MiB", 2 << 20},   Size{"4MiB", 4 << 20},
                            Size{"8MiB", 8 << 20}, Size{"25MiB", 25 << 20}, Size{"100MB", 100'000'000}};

// The elements of a tensor of SIZE, rounded up to MULTIPLE.
std::int64_t elements_of(const Size& size, std::int64_t multiple) {
  const std::int64_t elements = size.bytes / static_cast<std::int64_t>(sizeof(float));
  return (elements + multiple - 1) / multiple * multiple;
}

// All ranks queue the operation, and each waits for its device, because a broadcast ends first on the sender.
Operation make_operation(std::shared_ptr<RankThreads> ranks, const Collective& collective, const Size& size) {
  const auto count = static_cast<double>(ranks->size());
  auto tensors = std::make_shared<Tensors>(ranks->size());
  const std::int64_t elements = elements_of(size, static_cast<std::int64_t>(ranks->size()));
  ranks->run([&](collective::Group& group, const device::Device& device) {
    // Zeros stay what they are in every sum.
    (*tensors)[static_cast<std::size_t>(group.rank())] = at::zeros({elements}, at::TensorOptions(device.torch()));
  });
  Operation operation{.bus_bytes = collective.share(count) * static_cast<double>(elements) * sizeof(float)};
  operation.run_times = [ranks = std::move(ranks), tensors, queue = collective.queue](std::int64_t times) {
    ranks->run([&](collective::Group& group, const device::Device& device) {
      at::Tensor& tensor = (*tensors)[static_cast<std::size_t>(group.rank())];
      for (std::int64_t i = 0; i < times; ++i) queue(group.backend(), tensor);
      device.synchronize();
    });
  };
  return operation;
}

// Averages as a captured training step has them: of tensors where they are, started by a graph and not one by
// one by the host.
class ReplayedAverages {
 public:
  ReplayedAverages(collective::Group& group, const device::Device& device, Tensors tensors)
      : group_(&group),
        stream_(c10::impl::VirtualGuardImpl(device.torch().type()).getStreamFromGlobalPool(device.torch())),
        tensors_(std::move(tensors)) {
    const c10::StreamGuard current(stream_);
    device.synchronize();  // another stream has filled the tensors
    queue(1);
    stream_.synchronize();
    many_ = step::capture([this] { queue(kMany); });
    one_ = step::capture([this] { queue(1); });
  }

  void run(std::int64_t times) {
    const c10::StreamGuard current(stream_);
    for (; times >= kMany; times -= kMany) many_->replay();
    for (; times > 0; --times) one_->replay();
  }

 private:
  static constexpr std::int64_t kMany = 16;  // so that the start of a graph hardly counts

  void queue(std::int64_t times) {
    for (; times > 0; --times) group_->average(tensors_)->wait();
  }

  collective::Group* group_;
  c10::Stream stream_;
  Tensors tensors_;
  std::unique_ptr<step::CapturedGraph> many_, one_;
};

Operation make_replayed_averages(std::shared_ptr<RankThreads> ranks, const Size& size) {
  constexpr std::int64_t kLargestTensor = 4 << 20;  // most tensors of networks are no larger
  struct Rank {
    Tensors tensors;
    std::unique_ptr<ReplayedAverages> averages;
  };
  auto all = std::make_shared<std::vector<Rank>>(ranks->size());
  const auto own = [all](const collective::Group& group) -> Rank& {
    return (*all)[static_cast<std::size_t>(group.rank())];
  };
  ranks->run([&](collective::Group& group, const device::Device& device) {
    const at::Tensor whole = at::zeros({elements_of(size, 1)}, at::TensorOptions(device.torch()));
    own(group).tensors = whole.split(kLargestTensor / static_cast<std::int64_t>(sizeof(float)));
  });
  // A task of its own, because no rank may fail while others wait for its average.
  ranks->run([&](collective::Group& group, const device::Device& device) {
    own(group).averages = std::make_unique<ReplayedAverages>(group, device, std::move(own(group).tensors));
  });
  const auto count = static_cast<double>(ranks->size());
  Operation operation{.bus_bytes = all_reduce_share(count) * static_cast<double>(size.bytes)};
  operation.run_times = [ranks = std::move(ranks), own](std::int64_t times) {
    ranks->run([&](collective::Group& group, const device::Device& device) {
      own(group).averages->run(times);
      device.synchronize();
    });
  };
  return operation;
}

// What all ranks compute at the same time: matrix products as a backward pass has them, in tensors that stay.
struct Products {
  static constexpr int kCount = 4;  // long enough to hide an all-reduce between GPUs that NVLink connects

  explicit Products(const c10::Device& device) {
    const bool accelerated = !device.is_cpu();
    const auto options = at::TensorOptions(device).dtype(accelerated ? at::kBFloat16 : at::kFloat);
    const std::int64_t size = accelerated ? 4096 : 256;
    left = at::ones({size, size}, options);
    result = at::empty_like(left);
  }
  void queue() {
    for (int i = 0; i < kCount; ++i) at::mm_out(result, left, left);
  }
  [[nodiscard]] double flops() const {
    const auto size = static_cast<double>(left.size(0));
    return 2 * size * size * size * kCount;
  }

  at::Tensor left, result;
};

// Matrix products on all ranks, and if AVERAGED has bytes, an all-reduce of them beside these.
Operation make_products(std::shared_ptr<RankThreads> ranks, const Size& averaged) {
  struct Rank {
    std::unique_ptr<Products> products;
    Tensors tensors;
  };
  auto all = std::make_shared<std::vector<Rank>>(ranks->size());
  const std::int64_t elements = elements_of(averaged, 1);
  ranks->run([&](collective::Group& group, const device::Device& device) {
    Rank& own = (*all)[static_cast<std::size_t>(group.rank())];
    own.products = std::make_unique<Products>(device.torch());
    if (elements > 0) own.tensors = {at::zeros({elements}, at::TensorOptions(device.torch()))};
  });
  Operation operation{.flops = all->front().products->flops()};
  operation.run_times = [ranks = std::move(ranks), all](std::int64_t times) {
    ranks->run([&](collective::Group& group, const device::Device& device) {
      Rank& own = (*all)[static_cast<std::size_t>(group.rank())];
      for (std::int64_t i = 0; i < times; ++i) {
        const auto work = own.tensors.empty() ? nullptr : group.average(own.tensors);
        own.products->queue();
        wait(work);
      }
      device.synchronize();
    });
  };
  return operation;
}

}  // namespace

std::vector<Benchmark> collective_benchmarks(const std::vector<const device::Device*>& devices) {
  using Ranks = std::shared_ptr<RankThreads>;
  const device::Device& first = *devices.front();
  const std::string where = "/" + to_string(first.kind()) + "/x" + std::to_string(devices.size()) + "/";
  std::vector<Benchmark> all;
  // The ranks meet when the first benchmark runs.
  const auto add = [&, met = std::make_shared<Ranks>()](const char* name, const Size& size, auto make) {
    all.push_back({name + where + size.name, &first, step::Precision::fp32, [met, devices, make] {
                     if (*met == nullptr) *met = std::make_shared<RankThreads>(devices);
                     return make(*met);
                   }});
  };
  for (const Collective& collective : kCollectives) {
    for (const Size& size : kSizes)
      add(collective.name, size, [&](const Ranks& ranks) { return make_operation(ranks, collective, size); });
  }
  if (first.capabilities().graphs) {
    for (const Size& size : kSizes)
      add("all_reduce_in_graph", size, [&](const Ranks& ranks) { return make_replayed_averages(ranks, size); });
  }
  // A backward pass that hides an average shares processors and memory with it. The difference between these
  // two is what that costs.
  constexpr Size kBucket{"25MiB", 25 << 20};
  for (const auto& [name, averaged] :
       {std::pair{"matmuls", Size{"", 0}}, std::pair{"matmuls_beside_all_reduce", kBucket}})
    add(name, kBucket, [averaged](const Ranks& ranks) { return make_products(ranks, averaged); });
  return all;
}

}  // namespace mpsbench::ops
