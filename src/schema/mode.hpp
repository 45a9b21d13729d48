// What a case measures, and by whose rules.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::schema {

// What a case measures.
enum class Mode { train, infer, data };

struct ModeRow {
  Mode value;
  std::string_view name;
  std::string_view help{};
  std::string_view verb;     // in "resnet50 trains 120 images a second"
  std::string_view does;     // in "the machine trains 120 images a second"
  std::string_view heading;  // "Training"
  bool has_network = true;   // false: batches are prepared on the CPU, but no network runs
  bool trains = false;       // a step has a backward pass and an update
  bool has_latency = false;  // somebody waits for the result of one step
  bool reads_all = false;    // takes the rows for inference in the files' order, the last few too
};

template <>
struct ClosedSet<Mode> {
  static constexpr const char* kWhat = "mode";
  static constexpr std::array kRows{ModeRow{.value = Mode::train,
                                            .name = "train",
                                            .verb = "trains",
                                            .does = "trains",
                                            .heading = "Training",
                                            .trains = true},
                                    ModeRow{.value = Mode::infer,
                                            .name = "infer",
                                            .verb = "processes",
                                            .does = "infers",
                                            .heading = "Inference",
                                            .has_latency = true,
                                            .reads_all = true},
                                    ModeRow{.value = Mode::data,
                                            .name = "data",
                                            .help = "measures only the input pipeline of a --dataset",
                                            .verb = "is fed",
                                            .does = "prepares",
                                            .heading = "Input pipeline",
                                            .has_network = false}};
};
static_assert(is_whole<Mode>());

// What the batch size of the command line means if several processes run a launch together.
enum class Scaling { weak, strong };

struct ScalingRow {
  Scaling value;
  std::string_view name;
  std::string_view help;
};

template <>
struct ClosedSet<Scaling> {
  static constexpr const char* kWhat = "scaling";
  static constexpr std::array kRows{
      ScalingRow{Scaling::weak, "weak", "means that -b is the batch of each process"},
      ScalingRow{Scaling::strong, "strong", "that -b is the total of all processes, which share it equally"}};
};
static_assert(is_whole<Scaling>());

// Whose rules the timed loop of a case follows.
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
