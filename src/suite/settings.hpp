// The options of `run` as typed values, each with the place where it was set. An object has one layer (suite,
// matrix or command line), or several layers merged.
#pragma once

#include "base/error.hpp"
#include "schema/case_spec.hpp"
#include "schema/gate.hpp"
#include "schema/measure_spec.hpp"
#include "suite/option_values.hpp"

#include <any>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace mpsbench::suite {

// The part of a setting that does not depend on the type of its value.
class AnySetting {
 public:
  // Returns the option's name, such as "batch-size".
  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] bool has() const { return origin_.has_value(); }
  // Returns where it was set: "--batch-size" or "quick.json: $.matrices[0].batch-size". If it was not set,
  // returns the option's name.
  [[nodiscard]] std::string origin() const { return origin_.value_or("--" + name()); }
  [[nodiscard]] bool is_on_command_line() const { return has() && origin().starts_with("--"); }
  // Returns an error that begins with the origin.
  [[nodiscard]] base::Error error(const std::string& message) const {
    return base::usage_error(origin() + ": " + message);
  }

 protected:
  explicit AnySetting(const char* name) : name_(name) {}

  std::optional<std::string> origin_;

 private:
  const char* name_;
};

template <typename T>
class Setting : public AnySetting {
 public:
  using Value = T;

  // NAME is the option's name. It must be a literal, because only the pointer is kept.
  explicit Setting(const char* name) : AnySetting(name) {}

  [[nodiscard]] const Value& value() const { return value_.value(); }
  [[nodiscard]] Value value_or(Value otherwise) const { return value_.value_or(std::move(otherwise)); }
  [[nodiscard]] const std::optional<Value>& optional() const { return value_; }
  // Only for flags.
  [[nodiscard]] bool is_on() const
    requires std::same_as<Value, bool>
  {
    return value_.value_or(false);
  }

  void set(Value value, const std::string& origin) {
    value_ = std::move(value);
    origin_ = origin;
  }
  void clear() {
    value_.reset();
    origin_.reset();
  }

 private:
  std::optional<Value> value_;
};

// A batch size that is still to be found by trying: the largest that runs, or the smallest that processes
// almost as many rows per second as the fastest.
enum class SearchedBatch { max, best };

struct BatchChoice {
  std::optional<SearchedBatch> searched;
  std::vector<std::int64_t> sizes;  // otherwise these, as written
};

struct BatchSizes {
  BatchChoice everywhere;  // unless they differ by device
  std::vector<std::pair<schema::DeviceId, BatchChoice>> by_device{};

  // Returns those of DEVICE, or else of the first device of its kind; null if there are none.
  [[nodiscard]] const BatchChoice* on(const schema::DeviceId& device) const;
};

// A parameter of the definition, and its new value.
using ParameterChange = std::pair<std::string, double>;

// A number of GPUs; null: all that are usable here.
using GpuCount = std::optional<std::int64_t>;

// T, or what an optional T has.
template <typename T>
struct ValueOfMember {
  using Type = T;
};
template <typename T>
struct ValueOfMember<std::optional<T>> {
  using Type = T;
};
template <auto Member>
using ValueOf = typename ValueOfMember<std::remove_cvref_t<decltype(std::declval<schema::CaseSpec>().*Member)>>::Type;

// The setting of an option that sets MEMBER of the case as it is.
template <auto Member>
class CaseSetting : public Setting<ValueOf<Member>> {
 public:
  CaseSetting() : Setting<ValueOf<Member>>(field_of(Member).traits.option) {}
};

// The settings of options that only set a member of the case, which no other code asks for.
class CaseSettings {
 public:
  template <auto Member>
  [[nodiscard]] const CaseSetting<Member>& of() const {
    static const CaseSetting<Member> kUnset;
    const auto found = all_.find(kUnset.name());
    return found == all_.end() ? kUnset : std::any_cast<const CaseSetting<Member>&>(found->second);
  }
  template <auto Member>
  [[nodiscard]] CaseSetting<Member>& of() {
    const CaseSetting<Member> unset;
    return std::any_cast<CaseSetting<Member>&>(all_.try_emplace(unset.name(), unset).first->second);
  }

 private:
  std::map<std::string, std::any> all_;  // by the option's name
};

// One member per option, unless the option only sets a member of the case. option.cpp says what each one means
// and which values it accepts.
struct Settings {
  CaseSettings of_case;

  // Which work.
  Setting<std::vector<std::string>> models{"model"};
  Setting<std::vector<schema::Mode>> modes{"mode"};
  Setting<std::vector<DeviceChoice>> devices{"device"};
  Setting<BatchSizes> batch_sizes{"batch-size"};
  Setting<std::vector<std::int64_t>> ranks{"ranks"};
  Setting<std::vector<GpuCount>> gpus{"gpus"};
  Setting<std::vector<schema::Precision>> precisions{"precision"};
  Setting<std::vector<schema::Engine>> engines{"engine"};
  Setting<std::vector<InputShape>> input_shapes{"input-shape"};
  Setting<std::vector<std::int64_t>> threads{"threads"};
  Setting<std::vector<std::int64_t>> interop_threads{"interop-threads"};
  Setting<std::vector<std::int64_t>> prompts{"prompt"};
  Setting<std::vector<std::int64_t>> depths{"depth"};
  Setting<std::string> weights{"weights"};
  Setting<std::vector<ParameterChange>> parameters{"set"};
  CaseSetting<&schema::CaseSpec::compile_mode> compile_mode;
  CaseSetting<&schema::CaseSpec::classes> classes;
  CaseSetting<&schema::CaseSpec::rows> rows;
  CaseSetting<&schema::CaseSpec::seed> seed;
  CaseSetting<&schema::CaseSpec::input> input;
  CaseSetting<&schema::CaseSpec::optimizer> optimizer;
  CaseSetting<&schema::CaseSpec::scaling> scaling;
  CaseSetting<&schema::CaseSpec::affinity> affinity;

  // Settings for data sets.
  Setting<schema::Dataset> dataset{"dataset"};
  Setting<std::string> data_dir{"data-dir"};
  Setting<std::string> vocab{"vocab"};
  CaseSetting<&schema::CaseSpec::pad> pad;
  CaseSetting<&schema::CaseSpec::last_batch> last_batch;
  CaseSetting<&schema::CaseSpec::shuffle> shuffle;

  // Settings for measuring.
  Setting<schema::WarmupSpec> warmup{"warmup"};
  Setting<double> min_time_seconds{"min-time"};
  Setting<double> max_time_seconds{"max-time"};
  Setting<double> max_noise{"max-noise"};
  Setting<std::int64_t> min_samples{"min-samples"};
  Setting<double> timeout_seconds{"timeout"};
  Setting<double> rendezvous_timeout_seconds{"rendezvous-timeout"};
  Setting<double> time_limit_seconds{"time-limit"};  // of the whole run
  Setting<std::int64_t> repeats{"repeats"};
  Setting<double> cooldown_seconds{"cooldown"};
  CaseSetting<&schema::CaseSpec::epochs> epochs;
  CaseSetting<&schema::CaseSpec::iterations> iterations;
  CaseSetting<&schema::CaseSpec::as_published> as_published;

  // Settings for comparing.
  Setting<std::string> baseline{"baseline"};
  Setting<std::string> versus{"versus"};
  Setting<double> threshold{"threshold"};
  Setting<std::vector<schema::GateOn>> gate_on{"gate-on"};
  Setting<double> alpha{"alpha"};
  Setting<double> budget_seconds{"budget"};
  Setting<bool> fail_on_regression{"fail-on-regression"};
  Setting<bool> fail_on_undecided{"fail-on-undecided"};
  Setting<bool> force{"force"};

  // Settings for output.
  Setting<bool> plain{"plain"};
  Setting<double> price_dollars{"price"};
  Setting<std::int64_t> epochs_projected{"epochs-projected"};
  Setting<std::vector<double>> percentiles{"percentiles"};
  Setting<std::string> filter{"filter"};
  Setting<std::string> host_name{"host-name"};
  Setting<bool> ceilings{"ceilings"};
  Setting<bool> strict{"strict"};
  Setting<bool> quiet{"quiet"};
  Setting<bool> verbose{"verbose"};
  Setting<std::string> log_file{"log-file"};
  Setting<bool> no_progress{"no-progress"};
  Setting<ColourChoice> color{"color"};
  Setting<std::string> export_json{"export-json"};
  Setting<std::string> dump_first_step{"dump-first-step"};
  Setting<std::string> resume{"resume"};
  Setting<bool> dry_run{"dry-run"};

  // Not an option: how ids call the files of --model and --weights (see plan_cases).
  std::map<std::string, std::string> file_names;

  // The values of ABOVE replace those here. A case has either epochs or iterations, so each of these also
  // replaces the other.
  [[nodiscard]] Settings overlaid_with(const Settings& above) const;
};

}  // namespace mpsbench::suite
