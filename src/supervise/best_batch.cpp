#include "supervise/best_batch.hpp"

#include "stats/interval.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace mpsbench::supervise {

namespace {

using Rule = BestBatchRule;

class BestBatchSearch {
 public:
  explicit BestBatchSearch(const std::function<std::optional<BatchRate>(std::int64_t)>& rate) : try_(&rate) {}

  LastTrial double_batches(std::int64_t most, double longest_step) {
    constexpr int kSure = 2;  // an open doubling counts 1
    BatchRate gained;         // of the last batch that was faster than those before
    int idle = 0;
    for (std::int64_t batch = 1;; batch *= 2) {
      const std::optional<BatchRate> rate = add_unless_disturbed(batch, gained.rows_per_second);
      if (!rate) return LastTrial::memory;
      const double least = gained.rows_per_second * Rule::kGain;
      if (rate->rows_per_second > least) {
        idle = 0;
        gained = *rate;
      } else {
        const double doubt = rate->half_width + gained.half_width;
        idle += rate->rows_per_second * (1 + doubt) > least && doubt > 0 ? 1 : kSure;
      }
      if (idle >= kSure * Rule::kIdleDoublings) return LastTrial::settled;
      if (static_cast<double>(batch) > longest_step * rate->rows_per_second) return LastTrial::time;
      if (batch > most / 2) return LastTrial::rows;
    }
  }

  void try_fast_ones_again() {
    if (tried_.size() < 2) return;
    const double least = Rule::kMaybeNear * fastest()->second.rate();
    std::vector<std::int64_t> batches;
    for (const auto& [batch, tried] : tried_) {
      if (tried.rate() >= least) batches.push_back(batch);
    }
    for (const std::int64_t batch : batches) try_again(batch);
  }

  void settle_doubts() {
    for (int trial = 0; trial < Rule::kMostDecidingTrials; ++trial) {
      const auto batch = doubtful();
      if (!batch) return;
      try_again(*batch);
    }
  }

  [[nodiscard]] BestBatch result(LastTrial last) const {
    if (tried_.empty()) return {.last = last};
    const Place fast = fastest();
    const Place small = std::ranges::find_if(
        tried_, [&](const auto& one) { return one.second.rate() >= Rule::kNear * fast->second.rate(); });
    BestBatch found{small->first, small->second.rate(), fast->first, fast->second.rate(), last};
    schema::TiedBatches tied{small->first, small->first, 0};
    for (Place one = tried_.begin(); one != tried_.end(); ++one) {
      const Standing standing = standing_of(one, fast);
      const bool is_sure = one == fast || standing == Standing::near;
      if (standing == Standing::open)
        tied.half_width = std::max(tied.half_width, difference_half_width(one->second, fast->second));
      if (standing == Standing::open || (is_sure && tied.half_width > 0)) {
        tied.least = std::min(tied.least, one->first);
        tied.most = std::max(tied.most, one->first);
      }
      if (standing == Standing::near) break;
    }
    if (tied.half_width > 0) found.tied = tied;
    return found;
  }

 private:
  struct Tried {
    std::vector<double> rates;

    [[nodiscard]] double trials() const { return static_cast<double>(rates.size()); }
    [[nodiscard]] double rate() const { return std::accumulate(rates.begin(), rates.end(), 0.0) / trials(); }
  };
  using Place = std::map<std::int64_t, Tried>::const_iterator;
  // Of a smaller batch than the fastest: whether it is near it. Of a larger one: open if it may gain.
  enum class Standing { near, open, slower };

  // Returns nullopt if the batch does not fit.
  std::optional<BatchRate> add(std::int64_t batch) {
    const std::optional<BatchRate> rate = (*try_)(batch);
    if (rate) tried_[batch].rates.push_back(rate->rows_per_second);
    return rate;
  }

  // A batch that is much slower than a smaller one was probably disturbed, so it is tried again. Returns the
  // best trial.
  std::optional<BatchRate> add_unless_disturbed(std::int64_t batch, double usual) {
    std::optional<BatchRate> best = add(batch);
    for (int trial = 0; trial < Rule::kMostDisturbed; ++trial) {
      if (!best || best->rows_per_second >= Rule::kMaybeNear * usual) return best;
      const std::optional<BatchRate> again = add(batch);
      if (!again || again->rows_per_second > best->rows_per_second) best = again;
    }
    return best;
  }

  void try_again(std::int64_t batch) {
    if (!add(batch)) tried_.erase(batch);
  }

  [[nodiscard]] Place fastest() const {
    return std::ranges::max_element(tried_, {}, [](const auto& one) { return one.second.rate(); });
  }

  // Of the interval of the difference of two rates, relative; the intervals of all batches hold together with
  // 95 %. All trials show together how much equal ones differ.
  [[nodiscard]] double difference_half_width(const Tried& one, const Tried& other) const {
    double squares = 0;
    double freedom = 0;
    double batches = 0;
    for (const auto& [batch, tried] : tried_) {
      for (const double rate : tried.rates) squares += std::pow(rate / tried.rate() - 1, 2);
      freedom += tried.trials() - 1;
      batches += tried.trials() > 1 ? 1 : 0;
    }
    const double chance = (1 - stats::kConfidence) / std::max(1.0, batches - 1);
    return stats::student_factor(freedom, 1 - chance) *
           std::sqrt(squares / freedom * (1 / one.trials() + 1 / other.trials()));
  }

  [[nodiscard]] Standing standing_of(Place one, Place fast) const {
    if (one == fast || one->second.rates.size() == 1) return Standing::slower;
    const double half_width = difference_half_width(one->second, fast->second);
    const double ratio = one->second.rate() / fast->second.rate();
    if (one->first > fast->first) return ratio * (1 + half_width) > Rule::kGain ? Standing::open : Standing::slower;
    if (ratio * (1 - half_width) >= Rule::kNear) return Standing::near;
    return ratio * (1 + half_width) >= Rule::kNear ? Standing::open : Standing::slower;
  }

  // Returns the batch to try again: the least tried of the fastest and those that are open.
  [[nodiscard]] std::optional<std::int64_t> doubtful() const {
    if (tried_.size() < 2) return std::nullopt;
    const Place fast = fastest();
    Place next = fast;
    bool is_open = false;
    for (Place one = tried_.begin(); one != tried_.end(); ++one) {
      const Standing standing = standing_of(one, fast);
      if (standing == Standing::near) break;
      if (standing != Standing::open) continue;
      is_open = true;
      if (one->second.rates.size() < next->second.rates.size()) next = one;
    }
    if (!is_open || next->second.rates.size() >= Rule::kMostTrials) return std::nullopt;
    return next->first;
  }

  const std::function<std::optional<BatchRate>(std::int64_t)>* try_;
  std::map<std::int64_t, Tried> tried_;
};

}  // namespace

LargestBatch find_largest_batch(std::int64_t first, std::int64_t most, const std::function<bool(std::int64_t)>& fits) {
  std::int64_t fitting = 0;
  std::int64_t too_large = most + 1;
  std::int64_t next = std::clamp<std::int64_t>(first, 1, most);
  while (too_large - fitting > 1) {
    (fits(next) ? fitting : too_large) = next;
    const bool doubling = too_large > most;
    next = doubling ? std::min(2 * fitting, most) : fitting + (too_large - fitting) / 2;
  }
  return {fitting, too_large > most ? std::nullopt : std::optional(too_large)};
}

BestBatch find_best_batch(std::int64_t most, double longest_step,
                          const std::function<std::optional<BatchRate>(std::int64_t)>& rate) {
  BestBatchSearch search(rate);
  const LastTrial last = search.double_batches(most, longest_step);
  search.try_fast_ones_again();
  search.settle_doubts();
  return search.result(last);
}

}  // namespace mpsbench::supervise
