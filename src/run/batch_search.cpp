#include "run/batch_search.hpp"

#include "base/error.hpp"
#include "run/batch_trials.hpp"
#include "run/best_batch_search.hpp"
#include "run/largest_batch_search.hpp"
#include "supervise/interrupt.hpp"

namespace mpsbench::run {

void search_batches(schema::RunRecord& record, const std::vector<suite::OpenCase>& open,
                    const suite::Host& host, View& view) {
  supervise::Interrupt interrupt;
  for (const suite::OpenCase& one : open) {
    BatchTrials trials(record, one, host, interrupt, view);
    try {
      switch (one.searched) {
        case suite::SearchedBatch::max:
          search_largest_batch(trials);
          break;
        case suite::SearchedBatch::best:
          search_best_batch(trials);
          break;
      }
    } catch (const FailedTrial& broken) {
      trials.plan(one.at_batch(broken.batch_size, host));
    }
  }
}

void require_one_machine(const std::vector<suite::OpenCase>& open, const schema::LauncherInfo& launcher) {
  if (launcher.hosts == 1) return;
  for (const suite::OpenCase& one : open) {
    if (one.point.ranks > 1)
      throw base::usage_error("--batch-size: max and best are searched on one machine, but " + one.id +
                              " runs under " + words_of(launcher) +
                              "; search on one, and name the batch here");
  }
}

}  // namespace mpsbench::run
