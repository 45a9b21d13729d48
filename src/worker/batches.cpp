#include "worker/batches.hpp"

#include "input/dataset/catalog.hpp"
#include "step/feed.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

namespace mpsbench::worker {
namespace {

data::DataPart part_of_steps(const schema::LaunchRequest& request) {
  return row_of(request.spec.mode).reads_all ? dataset::info_of(request.spec.dataset).inference : data::DataPart::train;
}

data::BatchPart share_of(const schema::LaunchRequest& request) {
  return {rank_of(request), request.spec.ranks};
}

class NotedTexts final : public data::Batches {
 public:
  NotedTexts(std::unique_ptr<data::Batches> texts, std::optional<schema::PaddedLengths>& lengths)
      : texts_(std::move(texts)), lengths_(&lengths) {}

  void begin_epoch() override { texts_->begin_epoch(); }
  std::optional<data::Batch> next() override {
    std::optional<data::Batch> batch = texts_->next();
    if (batch) note(batch->inputs.front().size(1));
    return batch;
  }

 private:
  void note(std::int64_t length) {
    if (!lengths_->has_value()) lengths_->emplace(schema::PaddedLengths{.least = length});
    schema::PaddedLengths& all = lengths_->value();
    all.least = std::min(all.least, length);
    all.most = std::max(all.most, length);
    all.mean += (static_cast<double>(length) - all.mean) / static_cast<double>(++all.batches);
  }

  std::unique_ptr<data::Batches> texts_;
  std::optional<schema::PaddedLengths>* lengths_;
};

data::Batch first_of_files(const schema::LaunchRequest& request, const device::Device& device, schema::Launch& launch) {
  data::Batch batch = data::take_batch(*open_files(request, /*pinned=*/false, launch));
  for (at::Tensor& input : batch.inputs) input = input.to(device.torch());
  batch.target = batch.target.to(device.torch());
  return batch;
}

}  // namespace

std::int64_t rank_of(const schema::LaunchRequest& request) {
  return request.group ? request.group->rank : 0;
}

bool is_fed(const schema::LaunchRequest& request) {
  return request.data_folder ? !schema::is_published_inference(request.spec)
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

std::unique_ptr<data::Batches> open_files(const schema::LaunchRequest& request, bool pinned, schema::Launch& launch) {
  const data::DataPart part = part_of_steps(request);
  data::DataOptions options = data_options(request, part, pinned);
  options.share = share_of(request);
  options.in_order = row_of(request.spec.mode).reads_all || request.spec.shuffle == schema::Shuffle::off;
  options.drop_last = request.spec.last_batch == schema::LastBatch::drop;
  auto batches = data::open_batches(options, request.network_plan, part);
  if (!options.pad_to_longest) return batches;
  return std::make_unique<NotedTexts>(std::move(batches), launch.padded_lengths);
}

std::unique_ptr<data::Batches> fed_batches(const schema::LaunchRequest& request, const data::Batch& resident,
                                           const device::Device& device, schema::Launch& launch) {
  if (request.data_folder) return open_files(request, device.capabilities().copy_streams, launch);
  return step::repeat_from_host(resident, device);
}

data::Batch resident_batch(const schema::LaunchRequest& request, const device::Device& device, schema::Launch& launch) {
  schema::NetworkPlan drawn = request.network_plan;
  if (drawn.cache) drawn.inputs.front().shape.at(1) += drawn.cache->filled;  // the tokens before a prompt, too
  data::Batch batch = request.data_folder && !is_fed(request)
                          ? first_of_files(request, device, launch)
                          : data::make_synthetic_batch(drawn, request.spec.seed, device.torch(), share_of(request));
  if (!request.spec.channels_last) return batch;
  for (at::Tensor& input : batch.inputs) {
    if (input.dim() == 4) input = input.contiguous(at::MemoryFormat::ChannelsLast);
  }
  return batch;
}

}  // namespace mpsbench::worker
