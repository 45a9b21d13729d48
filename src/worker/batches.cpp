#include "worker/batches.hpp"

#include "data/synthetic.hpp"
#include "dataset/catalog.hpp"
#include "step/feed.hpp"

#include <ATen/ATen.h>

namespace mpsbench::worker {
namespace {

bool has_files(const schema::LaunchRequest& request) {
  return request.data_folder.has_value();
}

data::DataPart part_of_steps(const schema::LaunchRequest& request) {
  return request.spec.mode == schema::Mode::infer ? dataset::info_of(request.spec.dataset).inference
                                                  : data::DataPart::train;
}

data::BatchPart share_of(const schema::LaunchRequest& request) {
  return {rank_of(request), request.spec.ranks};
}

data::Batch first_of_files(const schema::LaunchRequest& request, const device::Device& device) {
  data::Batch batch = data::take_batch(*open_files(request, /*pinned=*/false));
  for (at::Tensor& input : batch.inputs) input = input.to(device.torch());
  batch.target = batch.target.to(device.torch());
  return batch;
}

}  // namespace

std::int64_t rank_of(const schema::LaunchRequest& request) {
  return request.group ? request.group->rank : 0;
}

bool is_fed(const schema::LaunchRequest& request) {
  return has_files(request) ? !schema::is_published_inference(request.spec)
                            : request.spec.input == schema::Input::host;
}

data::DataOptions data_options(const schema::LaunchRequest& request, data::DataPart part, bool pinned) {
  const schema::CaseSpec& spec = request.spec;
  data::DataOptions options{.dataset = spec.dataset,
                            .folder = request.data_folder.value(),
                            .vocabulary = request.vocabulary.value_or(""),
                            .batch_size = spec.batch_size,
                            .workers = spec.workers.value_or(0),
                            .seed = spec.seed,
                            .pad_to_longest = spec.pad == schema::Pad::longest,
                            .pinned = pinned};
  if (part == part_of_steps(request)) options.rows = spec.rows;
  if (spec.last_batch == schema::LastBatch::keep) options.drop_last = false;
  if (spec.tokenize) options.tokenize = *spec.tokenize;
  if (spec.trec_labels) options.trec_labels = *spec.trec_labels;
  return options;
}

std::unique_ptr<data::Batches> open_files(const schema::LaunchRequest& request, bool pinned) {
  const data::DataPart part = part_of_steps(request);
  data::DataOptions options = data_options(request, part, pinned);
  options.share = share_of(request);
  options.in_order = request.spec.mode == schema::Mode::infer;
  options.drop_last = request.spec.last_batch == schema::LastBatch::drop;
  return data::open_batches(options, request.network_plan, part);
}

std::unique_ptr<data::Batches> fed_batches(const schema::LaunchRequest& request, const data::Batch& resident,
                                           const device::Device& device) {
  if (has_files(request)) return open_files(request, device.capabilities().copy_streams);
  return step::repeat_from_host(resident, device);
}

data::Batch resident_batch(const schema::LaunchRequest& request, const device::Device& device) {
  data::Batch batch = has_files(request) && !is_fed(request)
                          ? first_of_files(request, device)
                          : data::make_synthetic_batch(request.network_plan, request.spec.seed,
                                                       device.torch(), share_of(request));
  if (!request.spec.channels_last) return batch;
  for (at::Tensor& input : batch.inputs) {
    if (input.dim() == 4) input = input.contiguous(at::MemoryFormat::ChannelsLast);
  }
  return batch;
}

}  // namespace mpsbench::worker
