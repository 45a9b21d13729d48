// A figure that others published. A case that was not run here has this instead of launches.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

// The flag of a case with published figures.
inline constexpr const char* kPublishedFlag = "published";

struct Published {
  std::string source;                     // file, article or chart
  std::optional<std::string> url;         // null: the source has no URL
  std::vector<std::string> cautions;      // names from cautions()
  std::string remark;                     // what else a reader must know; may be empty
  std::optional<double> speed_up;         // relative to the CPU of the same machine, as published
  std::map<std::string, double> figures;  // other figures of the same source, with the unit in the name

  // Whether a caution says that the source timed different work than the case's.
  [[nodiscard]] bool is_other_work() const;
};

// Something that may be wrong with a published figure. The set of cautions is closed.
struct Caution {
  std::string name;
  std::string meaning;      // one sentence
  bool other_work = false;  // different work was timed, so the figure is never compared or the best
};

[[nodiscard]] const std::vector<Caution>& cautions();
// Returns nullptr for an unknown name.
[[nodiscard]] const Caution* find_caution(const std::string& name);
// Returns the Markdown table that is in results/published/README.md below the line "<!-- cautions -->".
[[nodiscard]] std::string caution_table();

[[nodiscard]] nlohmann::ordered_json to_json(const Published& published);
[[nodiscard]] Published read_published(base::Reader reader);

}  // namespace mpsbench::schema
