// A figure that others published. A case that was not run here has this instead of launches.
#pragma once

#include "schema/field_json.hpp"

#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::schema {

// The flag of a case with published figures.
inline constexpr const char* kPublishedFlag = "published";

// Something that may be wrong with a published figure.
struct Caution {
  const char* name;
  const char* meaning;  // one sentence
  bool other_work;      // different work was timed, so the figure is never compared or the best
};

inline constexpr Caution kCautions[] = {
    {"mislabelled-workload", "The source contains a different workload than its name says.", true},
    {"older-script-variant", "An earlier version of the script was used; its network is not known.", true},
    {"tf32-by-default", "The PyTorch version of that time computed fp32 in TF32 on this GPU by default.", true},
    {"unstated-work", "The source does not say exactly what was timed; we chose the case's id.", false},
    {"invalid-accuracy", "The printed accuracy, 0.00 %, comes from a bug in the evaluation; the time is valid.", false},
    {"diverged", "The loss became infinite.", false},
    {"not-learning", "The loss stayed at the level of guessing.", false},
    {"no-synchronise", "The clock was read without waiting for the device, which may still have been working.", false},
    {"read-off-chart", "The figure was read off a chart by eye.", false},
    {"disagreeing-sources", "The sources state different figures.", false},
    {"coarse-resolution", "The time was printed in hundredths of a minute; the interval covers the rounding.", false},
    {"llama-bench",
     "It waits for each token and stops a prompt at its logits; the interval is of repetitions in one process.", false},
    {"other-weights", "The weights are stored in another type than the case's precision says.", false},
    {"empty-cache", "The cache was empty at first; the case begins after a prompt of one token.", false},
};

// Returns nullptr for an unknown name.
[[nodiscard]] const Caution* find_caution(std::string_view name);

inline constexpr auto kCautionNames = [] {
  std::array<const char*, std::size(kCautions)> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kCautions[i].name;
  return names;
}();

struct Published {
  std::string source;
  std::optional<std::string> url;
  std::vector<std::string> cautions;
  std::string remark;
  std::optional<double> speed_up;
  std::map<std::string, double> figures;

  // Whether a caution says that the source timed different work than the case's.
  [[nodiscard]] bool is_other_work() const;
};

template <>
inline constexpr auto kFields<Published> =
    table("published", field<&Published::source>({"File, article or chart."}),
          field<&Published::url>({"Null: the source has no URL."}),
          field<&Published::cautions>(
              {.meaning = "What may be wrong with the figure. results/published/README.md explains the cautions.",
               .words = kCautionNames}),
          field<&Published::remark>({"What else a reader must know; may be empty."}),
          field<&Published::speed_up>({"Relative to the CPU of the same machine, as published.", "1", {1e-9, 1e9}}),
          field<&Published::figures>({"Other figures of the same source, with the unit in the name."}));

// Returns the Markdown table that is in results/published/README.md below the line "<!-- cautions -->".
[[nodiscard]] std::string caution_table();

}  // namespace mpsbench::schema
