// Measures generation: sequences whose prompt is read at once and continued token by token.
#pragma once

#include "base/interface.hpp"
#include "measure/communication.hpp"
#include "measure/progress.hpp"
#include "measure/timer.hpp"
#include "schema/launch.hpp"
#include "schema/measure_spec.hpp"

#include <cstdint>
#include <optional>

namespace mpsbench::measure {

// A batch of sequences that are generated together. The worker implements it.
class Sequences : public base::Interface {
 public:
  // Forgets all but what was there before the prompt, then queues reading it, up to its first token.
  virtual void read_prompt() = 0;
  // Queues one more token of each sequence. Called at most steps() times after each read_prompt().
  virtual void add_token() = 0;
  // Waits for the last token and brings it to the host.
  virtual void take_token() = 0;
  // Tokens of a sequence after its first; at least 1.
  [[nodiscard]] virtual std::int64_t steps() const = 0;
};

struct SequenceRule {
  static constexpr double kWarmupShare = 0.2;      // of the launch's time: the automatic warm-up ends within a sequence
  static constexpr std::int64_t kWarmupSteps = 8;  // tokens of a window of the warm-up
};

// Fills what running SEQUENCES shows. A sample is the mean time of a token in one sequence, issued without waiting;
// each has one of the time from the prompt to the first token on the host. Other sequences, at least one, wait after
// each token: these are the latencies. A token takes longer the more positions there are, so no sequence is cut short.
// AGREEMENT connects the processes of this launch, which generate side by side; the slowest one's times count.
// MOST_STEPS is for trials: then there is one sequence, of at most so many tokens, and no latencies.
void measure_sequences(Sequences& sequences, Timer& timer, Observer& observer, Agreement& agreement,
                       const schema::MeasureSpec& spec, std::optional<std::int64_t> most_steps, schema::Launch& out);

}  // namespace mpsbench::measure
