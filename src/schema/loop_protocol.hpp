// Whose rules the timed loop of a case follows.
#pragma once

namespace mpsbench::schema {

struct CaseSpec;

// standard: ours, as src/measure has them. published: those of the published scripts, by their own clock.
enum class LoopProtocol { standard, published };

// In JSON and among the options it is a switch, as_published.
[[nodiscard]] constexpr LoopProtocol loop_protocol(bool as_published) {
  return as_published ? LoopProtocol::published : LoopProtocol::standard;
}
[[nodiscard]] constexpr bool as_published(LoopProtocol loop) {
  return loop == LoopProtocol::published;
}

// What follows from it. All that happens from the first step on is in the clock: there is no warm-up, and
// nothing watches a step or is measured beside it.
[[nodiscard]] constexpr bool times_all(LoopProtocol loop) {
  return as_published(loop);
}
// The loss is read after every step: the training scripts did so for their progress lines, the loop without
// an optimizer did not.
[[nodiscard]] bool reads_each_loss(const CaseSpec& spec);
// The loop is of the published notebook's forwards: always of one batch, and PyTorch recorded what gradients
// need.
[[nodiscard]] bool is_notebooks_forward(const CaseSpec& spec);

}  // namespace mpsbench::schema
