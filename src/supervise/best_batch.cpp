#include "supervise/best_batch.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace mpsbench::supervise {
namespace {

using Rule = BestBatchRule;

class BestBatchSearch {
 public:
  explicit BestBatchSearch(const std::function<std::optional<BatchRate>(std::int64_t)>& rate) : try_(&rate) {}

  LastTrial double_batches(std::int64_t most, double longest_step) {
    double gained = 0;  // rate of the last batch that was faster than those before
    int idle = 0;
    for (std::int64_t batch = 1;; batch *= 2) {
      if (!add(batch)) return LastTrial::memory;
      const double rate = tried_.at(batch).rate;
      idle = rate > gained * Rule::kGain ? 0 : idle + 1;
      if (idle == 0) gained = rate;
      if (idle == Rule::kIdleDoublings) return LastTrial::settled;
      if (static_cast<double>(batch) > longest_step * rate) return LastTrial::time;
      if (batch > most / 2) return LastTrial::rows;
    }
  }

  void settle_doubts() {
    while (const auto batch = doubtful()) {
      if (!add(*batch)) tried_.erase(*batch);
    }
  }

  [[nodiscard]] BestBatch result(LastTrial last) const {
    if (tried_.empty()) return {.last = last};
    const auto small = smallest();
    const auto fast = fastest();
    return {small->first, small->second.rate, fast->first, fast->second.rate, last};
  }

 private:
  struct Tried {
    double rate = 0;  // mean of the trials
    double half_width = 0;
    int trials = 0;
  };
  using Place = std::map<std::int64_t, Tried>::const_iterator;

  // Returns false if the batch does not fit.
  bool add(std::int64_t batch) {
    const std::optional<BatchRate> rate = (*try_)(batch);
    if (!rate) return false;
    Tried& tried = tried_[batch];
    tried.rate = (tried.rate * tried.trials + rate->rows_per_second) / (tried.trials + 1);
    tried.half_width = std::max(tried.half_width, rate->half_width);
    ++tried.trials;
    return true;
  }

  [[nodiscard]] Place fastest() const {
    return std::max_element(tried_.begin(), tried_.end(),
                            [](const auto& a, const auto& b) { return a.second.rate < b.second.rate; });
  }

  [[nodiscard]] Place smallest() const {
    const double least = Rule::kNear * fastest()->second.rate;
    return std::find_if(tried_.begin(), tried_.end(),
                        [least](const auto& one) { return one.second.rate >= least; });
  }

  // Returns the fastest if it was tried only once, or a batch that another trial may show to be near it or
  // not. A larger batch than the smallest near one changes nothing.
  [[nodiscard]] std::optional<std::int64_t> doubtful() const {
    if (tried_.size() < 2) return std::nullopt;
    const auto fast = fastest();
    if (fast->second.trials == 1) return fast->first;
    const double least = Rule::kNear * fast->second.rate;
    for (auto one = tried_.begin(); one != fast; ++one) {
      const double doubt = std::max(Rule::kLeastDoubt, one->second.half_width + fast->second.half_width);
      if (one->second.trials == 1 && std::abs(one->second.rate / least - 1) <= doubt) return one->first;
      if (one->second.rate >= least) break;
    }
    return std::nullopt;
  }

  const std::function<std::optional<BatchRate>(std::int64_t)>* try_;
  std::map<std::int64_t, Tried> tried_;
};

}  // namespace

BestBatch find_best_batch(std::int64_t most, double longest_step,
                          const std::function<std::optional<BatchRate>(std::int64_t)>& rate) {
  BestBatchSearch search(rate);
  const LastTrial last = search.double_batches(most, longest_step);
  search.settle_doubts();
  return search.result(last);
}

}  // namespace mpsbench::supervise
