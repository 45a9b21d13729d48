#include "run/batch_search.hpp"

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

}  // namespace mpsbench::run
