#include "suite/ranks.hpp"

#include "suite/option.hpp"

#include <algorithm>
#include <string>

namespace mpsbench::suite {
namespace {

using schema::DeviceId;
using schema::DeviceKind;

// Returns the option that sets the number of processes on devices of KIND.
const AnySetting& option_for(DeviceKind kind, const Settings& settings) {
  return row_of(kind).ranks_share ? static_cast<const AnySetting&>(settings.ranks) : settings.gpus;
}

}  // namespace

void require_used_ranks(const Settings& settings, const std::vector<DeviceId>& devices, const Host& host) {
  if (!host.launched && !settings.ranks.has() && !settings.gpus.has())
    refuse_options(settings, &OptionTraits::is_of_ranks,
                   "is for several processes; add --gpus or --ranks, or leave it out");
  const auto among = [&](bool schema::DeviceKindRow::* trait) {
    return std::ranges::any_of(devices, [trait](const DeviceId& one) { return one.row().*trait; });
  };
  if (settings.ranks.has() && !among(&schema::DeviceKindRow::ranks_share))
    throw settings.ranks.error(
        "counts processes on the CPU, but none of the devices is the CPU; use --gpus for NVIDIA GPUs, or --device cpu");
  if (!settings.gpus.has()) return;
  if (!among(&schema::DeviceKindRow::one_a_rank))
    throw settings.gpus.error(
        "counts NVIDIA GPUs, but none of the devices is one; add --device cuda, or use --ranks for processes on the "
        "CPU");
  for (const DeviceId& device : devices) {
    if (device.row().one_a_rank && device.index > 0)
      throw settings.gpus.error("takes the first N GPUs, but the devices name " + to_string(device) +
                                "; use --device cuda");
  }
}

std::vector<std::int64_t> ranks_on(const DeviceId& device, schema::Mode mode, const Settings& settings,
                                   const Host& host) {
  if (!row_of(mode).has_network || !(device.row().ranks_share || device.row().one_a_rank)) return {1};
  const std::int64_t launched = host.launched ? host.launched->ranks : 1;
  std::vector<std::int64_t> counts;
  if (device.row().ranks_share) {
    counts = settings.ranks.value_or({launched});
  } else {
    const std::int64_t all =
        host.launched ? launched : std::max<std::int64_t>(1, usable_count(device.kind, host.devices));
    for (const GpuCount& given : settings.gpus.value_or({GpuCount(launched)})) {
      const std::int64_t count = given.value_or(all);
      if (std::ranges::count(counts, count) == 0) counts.push_back(count);
    }
  }
  const std::int64_t most = *std::ranges::max_element(counts);
  constexpr std::int64_t kMostHere = 256;  // more is most likely a typing error
  if (!host.launched && device.row().ranks_share && most > kMostHere)
    throw settings.ranks.error(std::to_string(most) + " are more than the " + std::to_string(kMostHere) +
                               " processes that mpsbench starts on one machine; give fewer");
  if (host.launched && most > launched)
    throw option_for(device.kind, settings)
        .error(std::to_string(most) + " are more than the " + std::to_string(launched) + " processes that " +
               host.launched->launcher + " has started; start more, or give fewer");
  return counts;
}

std::int64_t batch_of_rank(std::int64_t batch_size, std::int64_t ranks, const DeviceId& device,
                           const Settings& settings) {
  if (ranks == 1) return batch_size;
  const bool is_total = settings.scaling.value_or(schema::Scaling::weak) == schema::Scaling::strong;
  if (batch_size == 0 && is_total)
    throw settings.batch_sizes.error(
        "max and best look for the batch of one process, but with --scaling strong it is the total; give a number");
  if (batch_size == 0 && device.row().ranks_share)
    throw settings.batch_sizes.error(
        "max and best try how much memory one process can have, but several on the CPU share it; give a number");
  if (is_total && batch_size % ranks != 0)
    throw settings.batch_sizes.error(std::to_string(ranks) + " processes cannot share " + std::to_string(batch_size) +
                                     " rows equally, as --scaling strong asks; use multiples of " +
                                     std::to_string(ranks));
  return is_total ? batch_size / ranks : batch_size;
}

void require_fitting_ranks(const Settings& settings, const schema::CaseSpec& spec) {
  if (spec.ranks == 1) return;
  const AnySetting& option = option_for(spec.device.kind, settings);
  if (spec.last_batch == schema::LastBatch::keep)
    throw option.error("several processes have whole batches only; leave out --last-batch");
  if (spec.as_published) throw option.error("the published scripts ran in one process; leave out --as-published");
}

}  // namespace mpsbench::suite
