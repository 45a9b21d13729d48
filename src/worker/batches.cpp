#include "worker/batches.hpp"

#include "dataset/catalog.hpp"

#include <utility>

namespace mpsbench::worker {
namespace {

bool has_files(const schema::LaunchRequest& request) {
  return request.data_folder.has_value();
}

data::Part part_of_steps(const schema::LaunchRequest& request) {
  const bool on_test_rows = request.spec.mode == schema::Mode::infer &&
                            dataset::dataset_named(request.spec.dataset).inference == dataset::Split::test;
  return on_test_rows ? data::Part::test : data::Part::train;
}

step::BatchSource source_of(data::Batches* files, const data::Batch& resident, const device::Device& device) {
  if (files == nullptr) return step::repeat_from_host(resident, device);
  return {[files] { return files->next(); }, [files] { files->begin_epoch(); }};
}

}  // namespace

bool is_fed(const schema::LaunchRequest& request) {
  return has_files(request) ? !schema::is_notebooks_forward(request.spec) : request.spec.input == "host";
}

data::DataOptions data_options(const schema::LaunchRequest& request, data::Part part, bool pinned) {
  const schema::CaseSpec& spec = request.spec;
  data::DataOptions options{.dataset = spec.dataset,
                            .folder = request.data_folder.value(),
                            .vocabulary = request.vocabulary.value_or(""),
                            .batch_size = spec.batch_size,
                            .workers = spec.workers.value_or(0),
                            .seed = spec.seed,
                            .pad_to_longest = spec.pad == "longest",
                            .pinned = pinned};
  if (part == part_of_steps(request)) options.rows = spec.rows;
  if (spec.trec_labels) options.trec_labels = *spec.trec_labels;
  return options;
}

std::unique_ptr<data::Batches> open_step_batches(const schema::LaunchRequest& request, bool pinned) {
  const data::Part part = part_of_steps(request);
  data::DataOptions options = data_options(request, part, pinned);
  options.in_order = request.spec.mode == schema::Mode::infer;
  options.whole_batches = true;
  return data::open_batches(options, request.plan, part);
}

data::Batch first_batch(const schema::LaunchRequest& request, const device::Device& device) {
  const auto files = open_step_batches(request, /*pinned=*/false);
  data::Batch batch = step::take_batch({[&] { return files->next(); }, [&] { files->begin_epoch(); }});
  for (at::Tensor& input : batch.inputs) input = input.to(device.torch());
  batch.target = batch.target.to(device.torch());
  return batch;
}

FedBatches::FedBatches(const schema::LaunchRequest& request, data::Batch& resident,
                       measure::Step& resident_step, const device::Device& device)
    : files_(has_files(request) ? open_step_batches(request, device.capabilities().copy_streams) : nullptr),
      feed_(resident, source_of(files_.get(), resident, device), device),
      step_(resident_step, feed_),
      feed_step_(feed_),
      parts_{&resident_step, &feed_step_} {}

}  // namespace mpsbench::worker
