#include "run/session/task.hpp"

#include "base/log.hpp"
#include "run/plan/time_plan.hpp"

#include <cstdint>
#include <string>

namespace mpsbench::run {

namespace {

constexpr std::int64_t kLeastForInterval = 2;  // fewer have no interval

}  // namespace

void PlainRun::prepare(schema::RunRecord& record) {
  fills_time_ = record.run.planned_within_seconds.has_value();
}

base::ExitCode PlainRun::run(Session& session, View& view) {
  if (fills_time_) {
    fill(session, view);
  } else {
    session.run_launches(view);
  }
  return base::worse(at_best_, session.finish(view).code);
}

// Runs the first launches of each case, and then as many more as there is time for.
void PlainRun::fill(Session& session, View& view) const {
  if (session.run_first_launches(view) != supervise::RunEnd::complete)
    return session.settle_for_launches(kLeastForInterval);
  // First, so that each case gets enough undisturbed launches before any gets more than that.
  if (session.repeat_disturbed(view) != supervise::RunEnd::complete) return;
  schema::RunRecord& record = *session.records().front();
  const AddedLaunches added = fill_time(record, session.seconds_left());
  if (const std::string words = fill_words(record, added); !words.empty()) base::log::info(words);
  if (!added.cases.empty()) session.run_spare_launches(view);
  session.repeat_disturbed(view);
}

}  // namespace mpsbench::run
