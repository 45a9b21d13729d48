// What a case measures, and by whose rules.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::schema {

// What a case measures.
enum class Mode { train, infer, generate, data };

struct ModeRow {
  Mode value;
  std::string_view name;
  std::string_view help{};
  std::string_view verb;           // in "resnet50 trains 120 images a second"
  std::string_view does;           // in "the machine trains 120 images a second"
  std::string_view heading;        // "Training"
  bool has_network = true;         // false: batches are prepared on the CPU, but no network runs
  bool trains = false;             // a step has a backward pass and an update
  bool has_latency = false;        // somebody waits for the result of one step
  bool reads_all = false;          // takes the rows for inference in the files' order, the last few too
  bool generates = false;          // a step adds one token to each sequence of the batch, after their prompts were read
  std::string_view unit = "rows";  // whose number a second is the case's speed
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
                                    ModeRow{.value = Mode::generate,
                                            .name = "generate",
                                            .help = "reads a prompt and continues it token by token",
                                            .verb = "generates",
                                            .does = "generates",
                                            .heading = "Generation",
                                            .has_latency = true,
                                            .generates = true,
                                            .unit = "tokens"},
                                    ModeRow{.value = Mode::data,
                                            .name = "data",
                                            .help = "measures only the input pipeline of a --dataset",
                                            .verb = "is fed",
                                            .does = "prepares",
                                            .heading = "Input pipeline",
                                            .has_network = false}};
};

// What the batch size of the command line means if several processes run a launch together.
enum class Scaling { weak, strong };

template <>
struct ClosedSet<Scaling> {
  static constexpr const char* kWhat = "scaling";
  static constexpr std::array kRows{
      HelpRow{Scaling::weak, "weak", "means that -b is the batch of each process"},
      HelpRow{Scaling::strong, "strong", "that -b is the total of all processes, which share it equally"}};
};

}  // namespace mpsbench::schema
