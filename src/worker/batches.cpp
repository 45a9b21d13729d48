#include "worker/batches.hpp"

#include <utility>

namespace mpsbench::worker {
namespace {

bool has_files(const schema::LaunchRequest& request) {
  return request.data_folder.has_value();
}

std::unique_ptr<data::Batches> open_files(const schema::LaunchRequest& request,
                                          const device::Device& device) {
  if (!has_files(request)) return nullptr;
  data::DataOptions options = data_options(request, device);
  options.whole_batches = true;  // as every step's
  const bool train = request.spec.mode == schema::Mode::train;
  return data::open_batches(options, request.plan, train ? data::Part::train : data::Part::test);
}

step::BatchSource source_of(data::Batches* files, const data::Batch& resident, const device::Device& device) {
  if (files == nullptr) return step::repeat_from_host(resident, device);
  return {[files] { return files->next(); }, [files] { files->begin_epoch(); }};
}

}  // namespace

bool is_fed(const schema::LaunchRequest& request) {
  return has_files(request) || request.spec.input == "host";
}

data::DataOptions data_options(const schema::LaunchRequest& request, const device::Device& device) {
  return {.dataset = request.spec.dataset,
          .folder = request.data_folder.value(),
          .vocabulary = request.vocabulary.value_or(""),
          .batch_size = request.spec.batch_size,
          .workers = request.spec.workers.value_or(0),
          .seed = request.spec.seed,
          .pinned = device.capabilities().copy_streams};
}

FedBatches::FedBatches(const schema::LaunchRequest& request, data::Batch& resident,
                       measure::Step& resident_step, const device::Device& device)
    : files_(open_files(request, device)),
      feed_(resident, source_of(files_.get(), resident, device), device),
      step_(resident_step, feed_),
      feed_step_(feed_),
      parts_{&resident_step, &feed_step_} {}

}  // namespace mpsbench::worker
