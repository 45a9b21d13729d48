// Whose rules the timed loop of a case follows.
#pragma once

namespace mpsbench::schema {

struct CaseSpec;

// standard: mpsbench's own loop (src/measure). published: the loop of the published scripts, timed by their
// clock.
enum class LoopProtocol { standard, published };

// In JSON and in options this is the Boolean as_published.
[[nodiscard]] constexpr LoopProtocol loop_protocol(bool as_published) {
  return as_published ? LoopProtocol::published : LoopProtocol::standard;
}
// A published loop has no warm-up: the clock runs from the first step on. Apart from that clock, nothing
// observes its steps.
[[nodiscard]] constexpr bool as_published(LoopProtocol loop) {
  return loop == LoopProtocol::published;
}
// Whether the loss is read after every step. The published training scripts did so for their progress lines;
// their loop without an optimizer did not.
[[nodiscard]] bool reads_each_loss(const CaseSpec& spec);
// Whether the loop repeats the notebook's forward pass: always the same batch, with gradients recorded.
[[nodiscard]] bool is_published_inference(const CaseSpec& spec);

}  // namespace mpsbench::schema
