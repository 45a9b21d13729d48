#include "measure/measure_launch.hpp"

#include "measure/counted.hpp"
#include "measure/loop_context.hpp"
#include "measure/step_parts.hpp"
#include "measure/throughput.hpp"
#include "measure/warmup.hpp"

namespace mpsbench::measure {
namespace {

// Measures what a step consists of. INPUT may be null.
void measure_rest(LoopContext& context, Step& resident, const InputParts* input) {
  measure_enqueue(context, resident);
  if (input != nullptr) measure_input(context, *input);
  measure_step_parts(context, resident);
}

}  // namespace

void measure_launch(Step& step, Timer& timer, Observer& observer, Agreement& agreement, const schema::MeasureSpec& spec,
                    const WorkAmount& work, bool latency, schema::Launch& out, const InputParts* input) {
  LoopContext context{step, timer, observer, agreement, spec, work, out};
  if (schema::as_published(work.loop)) return measure_as_published(context);
  Step& resident = input != nullptr ? *input->resident : step;
  observer.on_phase(schema::Phase::warmup);
  context.run_first_step();
  observer.on_first_step();
  const bool warm = warm_up(context);
  if (work.is_counted()) {
    measure_counted(context, choose_steps_per_sample(context));
    if (input != nullptr && work.last_is_smaller) {  // what follows is of whole batches
      input->feed->begin_epoch();
      input->feed->run();
    }
    observer.on_phase(schema::Phase::events);
    measure_rest(context, resident, input);
    return;
  }
  if (!warm) out.unmet.emplace_back("warmup");
  const bool is_automatic = spec.warmup.kind == schema::WarmupSpec::Kind::automatic;
  const auto steps_per_sample = is_automatic ? std::optional(choose_steps_per_sample(context)) : std::nullopt;
  const bool with_latency = latency && timer.asynchronous();
  const double kept_share = (with_latency ? kLatencyShare : 0) + (timer.events() != nullptr ? EventRule::kShare : 0);
  observer.on_phase(schema::Phase::measure);
  measure_throughput(context, steps_per_sample, context.deadline_seconds() - kept_share * spec.max_time_seconds);
  observer.on_phase(schema::Phase::events);
  measure_events(context);
  measure_rest(context, resident, input);
  if (!with_latency) return;
  observer.on_phase(schema::Phase::latency);
  measure_latency(context);
}

}  // namespace mpsbench::measure
