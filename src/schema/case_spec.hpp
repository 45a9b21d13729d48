// One resolved point of a matrix: everything that decides which work is measured.
#pragma once

#include "base/system_files.hpp"
#include "schema/data_source.hpp"
#include "schema/engine.hpp"
#include "schema/field_json.hpp"
#include "schema/mode.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

namespace mpsbench::schema {

// The keys of settings are lr, momentum, weight_decay, dampening and nesterov for sgd; lr, beta1, beta2, eps,
// weight_decay and amsgrad for adam and adamw. The optimizer none has no settings: gradients accumulate.
// Switches are 0 or 1. Every setting of the optimizer is present.
struct OptimizerSpec {
  std::string name;
  std::map<std::string, double> settings;

  bool operator==(const OptimizerSpec&) const = default;
};

template <>
struct Json<OptimizerSpec> {
  static nlohmann::ordered_json write(const OptimizerSpec& optimizer) {
    nlohmann::ordered_json value = {{"name", optimizer.name}};
    for (const auto& [key, setting] : optimizer.settings) value[key] = setting;
    return value;
  }
  static OptimizerSpec read(base::Reader reader, const FieldInfo&) {
    OptimizerSpec optimizer;
    optimizer.name = reader.at("name").string();
    for (const std::string& key : reader.keys()) {
      if (key != "name") optimizer.settings[key] = reader.at(key).number();
    }
    return optimizer;
  }
  static nlohmann::ordered_json schema(const FieldInfo&) {
    return {{"type", "object"},
            {"properties", {{"name", {{"type", "string"}}}}},
            {"required", {"name"}},
            {"additionalProperties", {{"type", "number"}}}};
  }
};

inline constexpr TextForm kCpuListForm{"^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$", "CPUs such as \"0-3,8\"",
                                       [](std::string_view text) { return base::parse_cpu_list(text).has_value(); }};

// The first token ends the reading of the prompt; what follows are steps.
inline constexpr std::int64_t kLeastGenerated = 2;

struct CaseSpec {
  std::string model;
  Mode mode{};
  DeviceId device;
  std::int64_t batch_size = 0;  // of each rank
  std::int64_t ranks = 1;
  Scaling scaling = Scaling::weak;
  std::optional<std::int64_t> bucket_bytes{};
  Precision precision = Precision::fp32;
  Engine engine = Engine::eager;
  std::optional<CompileMode> compile_mode = {};
  Dataset dataset = Dataset::synthetic;
  Input input = Input::device;
  std::optional<std::int64_t> classes;
  std::optional<double> dropout;
  std::map<std::string, double> parameters = {};
  bool channels_last = false, freeze_backbone = false;
  // The loop of the published scripts, timed by their clock. It has no warm-up: the clock runs from the first
  // step on. Apart from that clock, nothing observes its steps. Otherwise: mpsbench's own loop (src/measure).
  bool as_published = false;
  std::string loss;
  OptimizerSpec optimizer;
  std::int64_t rows = 0, seed = 0, threads = 0;
  std::optional<std::int64_t> interop_threads;
  std::optional<std::string> affinity;
  std::optional<std::int64_t> workers, max_length;
  std::optional<Pad> pad;
  std::optional<Tokenize> tokenize;
  std::optional<TrecLabels> trec_labels;
  LastBatch last_batch = LastBatch::drop;
  Shuffle shuffle = Shuffle::on;
  std::map<std::string, std::string> data_files = {};
  std::optional<std::string> weights;
  std::optional<std::int64_t> epochs, iterations, max_batches;
  std::optional<std::int64_t> prompt, generate, depth;

  bool operator==(const CaseSpec&) const = default;
};

// What a member means for the identity of the work.
enum class SpecRole {
  work,   // which work is done: cases that differ in it cannot be compared
  told,   // the same, but published figures may not tell it
  files,  // the contents of files, which are compared one by one
  place,  // the device
  own,    // how a machine does the work, which is its own business
};

template <>
struct FieldTraits<CaseSpec> {
  const char* option = "";  // sets it, and is in the id if it changes the case; empty: another part of the id
  SpecRole role = SpecRole::work;
  bool decides_package = false;  // another value needs another compiled package
};

template <>
inline constexpr auto kFields<CaseSpec> = table(
    "spec", field<&CaseSpec::model>({"Name of the network."}),
    field<&CaseSpec::mode>({"data: batches are prepared, but no network runs."}, {.decides_package = true}),
    field<&CaseSpec::device>({"Where it runs: cpu, mps, cuda or cuda:N."},
                             {.role = SpecRole::place, .decides_package = true}),
    field<&CaseSpec::batch_size>(from_one("Rows of a step; with several ranks, of each of them.")),
    field<&CaseSpec::ranks>(from_one("Number of processes that run a launch together."), {.option = "ranks"}),
    field<&CaseSpec::scaling>({"Whether --batch-size was that of each rank, or the total of all."},
                              {.option = "scaling"}),
    field<&CaseSpec::bucket_bytes>({"The most bytes of gradients that are averaged at once, if --bucket-size was "
                                    "given. Null: mpsbench chooses, or none are averaged.",
                                    "B", kFromOne},
                                   {.option = "bucket-size"}),
    field<&CaseSpec::precision>({"Number format of the computation."}, {.decides_package = true}),
    field<&CaseSpec::engine>({"How a step runs."}),
    field<&CaseSpec::compile_mode>({"How the engine compiled its package. Null: it runs none."},
                                   {.option = "compile-mode", .decides_package = true}),
    field<&CaseSpec::dataset>({"Where rows come from."}),
    field<&CaseSpec::input>({"Where each step's batch comes from."}, {.option = "input"}),
    field<&CaseSpec::classes>(from_one("Outputs. Null: the network has no such parameter."), {.option = "classes"}),
    field<&CaseSpec::dropout>({"Probability of dropout. Null: the network has no such parameter.", "1", kShare},
                              {.option = "dropout"}),
    field<&CaseSpec::parameters>(absent_when_empty({"Parameters of the definition that --set changed."}),
                                 {.option = "set"}),
    field<&CaseSpec::channels_last>({"Image tensors are in channels-last order."},
                                    {.option = "channels-last", .decides_package = true}),
    field<&CaseSpec::freeze_backbone>({"Only the last layer with parameters trains."}, {.option = "freeze-backbone"}),
    field<&CaseSpec::as_published>({"The case is timed as in the published scripts."}, {.option = "as-published"}),
    field<&CaseSpec::loss>({"Name of the loss."}, {.option = "loss", .decides_package = true}),
    field<&CaseSpec::optimizer>({"Name and settings. Switches are 0 or 1."}, {.option = "optimizer"}),
    field<&CaseSpec::rows>(from_one("Number of rows of the data set, which are one epoch."), {.option = "rows"}),
    field<&CaseSpec::seed>({"Of weights, batches and their order."}, {.option = "seed"}),
    field<&CaseSpec::threads>(from_one("Threads of an operation on the CPU."),
                              {.option = "threads", .role = SpecRole::own, .decides_package = true}),
    field<&CaseSpec::interop_threads>(from_one("Threads that run operations side by side. Null: LibTorch's default."),
                                      {.option = "interop-threads", .role = SpecRole::own}),
    field<&CaseSpec::affinity>(
        {.meaning = "The CPUs that the worker could use. Null: all that the run could use.", .form = &kCpuListForm},
        {.option = "affinity", .role = SpecRole::own}),
    field<&CaseSpec::workers>({"Number of threads that prepare batches. Null: no batches to prepare."},
                              {.option = "workers", .role = SpecRole::own}),
    field<&CaseSpec::max_length>(from_one("Tokens per text. Null: the network has no such parameter."),
                                 {.option = "max-length", .role = SpecRole::told}),
    field<&CaseSpec::pad>({"Only for texts from files: padded to max_length, or to the longest text of the batch."},
                          {.option = "pad", .role = SpecRole::told}),
    field<&CaseSpec::tokenize>(
        {"Only for texts from files: tokenised once, before the clock starts, or for each batch, in its step."},
        {.option = "tokenize", .role = SpecRole::told}),
    field<&CaseSpec::trec_labels>({"The version of trec that determines the numbering of the labels."},
                                  {.option = "trec-labels", .role = SpecRole::told}),
    field<&CaseSpec::last_batch>(
        {"keep: the last batch of an epoch has fewer rows if the rows are too few for a whole one."},
        {.option = "last-batch"}),
    field<&CaseSpec::shuffle>({"off: training takes the rows in the files' order."}, {.option = "shuffle"}),
    field<&CaseSpec::data_files>(
        {.meaning = "SHA-256 of the data set's files, including the vocabulary, by file name without folder.",
         .form = &kSha256Form},
        {.role = SpecRole::files}),
    field<&CaseSpec::weights>({"Name of the file of --weights, without its folder."}, {.option = "weights"}),
    field<&CaseSpec::epochs>(from_one("Whole epochs to measure. Null: the epoch is projected."), {.option = "epochs"}),
    field<&CaseSpec::iterations>(from_one("Number of steps of the single timed loop."), {.option = "iterations"}),
    field<&CaseSpec::max_batches>(from_one("Most timed steps of a launch or, with epochs, of an epoch."),
                                  {.option = "max-batches"}),
    field<&CaseSpec::prompt>(absent_when_empty(from_one("generate: tokens of a prompt, which is read at once.")),
                             {.option = "prompt"}),
    field<&CaseSpec::generate>(
        absent_when_empty({.meaning = "generate: tokens that continue a prompt.", .bounds = {.min = kLeastGenerated}}),
        {.option = "generate"}),
    field<&CaseSpec::depth>(absent_when_empty({.meaning = "generate: tokens that are in the cache before the prompt.",
                                               .bounds = {.min = 0}}),
                            {.option = "depth"}));

// A row of the table of a case's members, which reading, writing, ids and comparing follow.
using SpecField = decltype(kFields<CaseSpec>)::OneRow;
inline constexpr const auto& kSpecFields = kFields<CaseSpec>;

// The row of MEMBER.
template <typename T>
[[nodiscard]] constexpr const SpecField& field_of(T CaseSpec::* member) {
  return *std::ranges::find(kSpecFields, SpecField::Member(member), &SpecField::member);
}

// The rows of members that are a machine's own business.
[[nodiscard]] inline auto own_fields() {
  return kSpecFields | std::views::filter([](const SpecField& field) { return field.traits.role == SpecRole::own; });
}

[[nodiscard]] bool is_equal(const SpecField& field, const CaseSpec& one, const CaseSpec& other);
[[nodiscard]] nlohmann::ordered_json value_json(const SpecField& field, const CaseSpec& spec);

// Returns the id of a case without its changed options: "resnet50/train/cuda/b32/fp32/eager/synthetic". BATCH
// is the batch size, or how it is found.
[[nodiscard]] std::string plain_case_id(const CaseSpec& spec, const std::string& batch);

// Whether the loss is read after every step. The published training scripts did so for their progress lines;
// their loop without an optimizer did not.
[[nodiscard]] bool reads_each_loss(const CaseSpec& spec);
// Whether the loop repeats the notebook's forward pass: always the same batch, with gradients recorded.
[[nodiscard]] bool is_published_inference(const CaseSpec& spec);

// The positions of a sequence in a cache of keys and values. The last token is not read.
[[nodiscard]] std::int64_t cached_positions(const CaseSpec& spec);

// Rows of one step of all ranks.
[[nodiscard]] std::int64_t rows_per_step(const CaseSpec& spec);

// Tokens of one row of a step: of a network that reads texts of one length its length, in generation 1. Null: rows have
// no tokens, or not equally many.
[[nodiscard]] std::optional<std::int64_t> tokens_per_row(const CaseSpec& spec);

// Steps of one epoch: floor(rows / rows of a step) in training, where a last batch that is not full is
// dropped; otherwise ceil(rows / batch). 0 without a batch size.
[[nodiscard]] std::int64_t steps_per_epoch(const CaseSpec& spec);

// The parts of a case's id, for what is shown and paired by ids alone. Nothing else takes ids apart: what is
// known of a case stands in its CaseSpec.
struct CaseId {
  enum Part : std::size_t { model, mode, device, batch, precision, engine, dataset };

  // A stranger's id may have fewer or more parts.
  explicit CaseId(const std::string& id);

  std::vector<std::string> parts;    // between slashes: "mlp", "train", "cpu", "b64", ...
  std::vector<std::string> options;  // after each plus sign: "epochs=1"

  [[nodiscard]] bool has_option(const std::string& name) const;
  // Returns the id without its part NUMBER (counted from 0).
  [[nodiscard]] CaseId without_part(std::size_t number) const;
  // Returns the id without its option NAME.
  [[nodiscard]] CaseId without_option(const std::string& name) const;
  // Returns the id without the options that are a machine's own business (SpecRole::own).
  [[nodiscard]] CaseId without_own_options() const;
  [[nodiscard]] std::string text() const;
};

// An option of an id: "epochs" and "1".
struct IdOption {
  explicit IdOption(const std::string& text);

  std::string name;
  std::string value;  // without an equals sign: "true"
};

}  // namespace mpsbench::schema
