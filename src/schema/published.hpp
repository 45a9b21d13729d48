// A figure that others published: what stands in the place of launches in a case that nobody ran here.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

// The flag of such a case.
inline constexpr const char* kPublishedFlag = "published";

struct Published {
  std::string source;                     // file, article or chart
  std::optional<std::string> url;         // null: it has none
  std::vector<std::string> cautions;      // names of cautions()
  std::string remark;                     // what else a reader must know; empty for nothing
  std::optional<double> speed_up;         // over the CPU of the same machine, as published
  std::map<std::string, double> figures;  // others of the same source, unit in the name

  // Whether a caution says that another work was timed than the case's.
  [[nodiscard]] bool is_other_work() const;
};

// What may be wrong with a published figure: a closed set.
struct Caution {
  std::string name;
  std::string meaning;      // one sentence
  bool other_work = false;  // the figure is not the case's: it is neither best nor compared
};

[[nodiscard]] const std::vector<Caution>& cautions();
// Null for an unknown name.
[[nodiscard]] const Caution* find_caution(const std::string& name);
// As a Markdown table, as it stands in results/published/README.md below the line "<!-- cautions -->".
[[nodiscard]] std::string caution_table();

[[nodiscard]] nlohmann::ordered_json to_json(const Published& published);
[[nodiscard]] Published read_published(base::Reader reader);

}  // namespace mpsbench::schema
