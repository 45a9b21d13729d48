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
// A published loop has no warm-up: the clock runs from the first step on. Nothing else watches or times its
// steps.
[[nodiscard]] constexpr bool as_published(LoopProtocol loop) {
  return loop == LoopProtocol::published;
}
// Whether the loss is read after every step. The published training scripts did so for their progress lines;
// their loop without an optimizer did not.
[[nodiscard]] bool reads_each_loss(const CaseSpec& spec);
// The loop is of the published notebook's forwards: always of one batch, and PyTorch recorded what gradients
// need.
[[nodiscard]] bool is_published_inference(const CaseSpec& spec);

}  // namespace mpsbench::schema
