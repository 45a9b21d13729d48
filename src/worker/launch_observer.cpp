#include "worker/launch_observer.hpp"

#include "step/infer_step.hpp"
#include "worker/batches.hpp"

namespace mpsbench::worker {

LaunchObserver::LaunchObserver(PreparedLaunch& prepared, Events& events, schema::Launch& launch)
    : PartSender(events, launch),
      prepared_(&prepared),
      launch_(&launch),
      live_memory_([&prepared] { return prepared.device.live_bytes(); }, launch.live_bytes) {
  const schema::CaseSpec& spec = prepared.request->spec;
  if (schema::as_published(spec.loop)) return;
  attention_.emplace();
  if (spec.device.row().falls_back) fallback_.emplace();
}

void LaunchObserver::on_first_step() {
  if (const std::string attention = attention_.value().backend(); !attention.empty())
    launch_->backend["attention"] = attention;
  attention_.reset();
  if (fallback_) {
    launch_->sensors.push_back(
        schema::sensor_record(schema::sensor::kMpsCpuFallbackOperators, static_cast<double>(fallback_->operators())));
    fallback_.reset();
  }
  PartSender::on_first_step();
  prepared_->use_evidence();
}

void LaunchObserver::on_epoch(std::int64_t epoch, bool is_last) {
  PartSender::on_epoch(epoch, is_last);
  const schema::LaunchRequest& request = *prepared_->request;
  const schema::CaseSpec& spec = request.spec;
  if (!request.data_folder || !row_of(spec.mode).trains || spec.max_batches) return;
  on_phase(schema::Phase::evaluate);
  for (const schema::DataPartRow& row : schema::ClosedSet<data::DataPart>::kRows) {
    const data::DataPart part = row.value;
    if (part == data::DataPart::test && !is_last) continue;
    const auto options = data_options(request, part, prepared_->device.capabilities().copy_streams);
    launch_->evaluations.push_back(
        step::evaluate(request.network_plan, *prepared_->model, options, part, spec.precision));
    launch_->evaluations.back().epoch = epoch;
    on_part();
  }
}

}  // namespace mpsbench::worker
