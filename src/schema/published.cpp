#include "schema/published.hpp"

#include "schema/optional_json.hpp"

#include <algorithm>

namespace mpsbench::schema {

bool Published::is_other_work() const {
  return std::any_of(cautions.begin(), cautions.end(), [](const std::string& name) {
    const Caution* caution = find_caution(name);
    return caution != nullptr && caution->other_work;
  });
}

const std::vector<Caution>& cautions() {
  static const std::vector<Caution> kCautions{
      {"mislabelled-workload", "The source contains a different workload than its name says.", true},
      {"older-script-variant", "An earlier version of the script was used; its network is not known.", true},
      {"tf32-by-default", "The PyTorch version of that time computed fp32 in TF32 on this GPU by default.",
       true},
      {"unstated-work", "The source does not say exactly what was timed; we chose the case's id.", false},
      {"invalid-accuracy",
       "The printed accuracy, 0.00 %, comes from a bug in the evaluation; the time is valid.", false},
      {"diverged", "The loss became infinite.", false},
      {"not-learning", "The loss stayed at the level of guessing.", false},
      {"no-synchronise",
       "The clock was read without waiting for the device, which may still have been working.", false},
      {"read-off-chart", "The figure was read off a chart by eye.", false},
      {"disagreeing-sources", "The sources state different figures.", false},
      {"coarse-resolution",
       "The time was printed in hundredths of a minute; the interval covers the rounding.", false},
  };
  return kCautions;
}

const Caution* find_caution(const std::string& name) {
  const auto found = std::find_if(cautions().begin(), cautions().end(),
                                  [&](const Caution& caution) { return caution.name == name; });
  return found == cautions().end() ? nullptr : &*found;
}

std::string caution_table() {
  std::string table = "| caution | meaning |\n| --- | --- |\n";
  for (const Caution& caution : cautions())
    table += "| `" + caution.name + "` | " + caution.meaning +
             (caution.other_work ? " It is never compared and never the best." : "") + " |\n";
  return table;
}

nlohmann::ordered_json to_json(const Published& published) {
  return {{"source", published.source},
          {"url", or_null(published.url)},
          {"cautions", published.cautions},
          {"remark", published.remark},
          {"speed_up", or_null(published.speed_up)},
          {"figures", nlohmann::ordered_json(published.figures)}};
}

Published read_published(base::Reader reader) {
  Published published;
  published.source = reader.at("source").string();
  published.url = string_or_null(reader.at("url"));
  for (const base::Reader& item : reader.at("cautions").items()) {
    published.cautions.push_back(item.string());
    if (find_caution(published.cautions.back()) == nullptr)
      throw item.error("unknown caution " + base::excerpt(published.cautions.back()));
  }
  published.remark = reader.at("remark").string();
  const base::Reader speed_up = reader.at("speed_up");
  if (!speed_up.is_null()) published.speed_up = speed_up.number(1e-9, 1e9);
  base::Reader figures = reader.at("figures");
  for (const std::string& key : figures.keys()) published.figures[key] = figures.at(key).number();
  reader.done();
  return published;
}

}  // namespace mpsbench::schema
