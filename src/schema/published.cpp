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
      {"mislabelled-workload", "The source holds another workload than its name says.", true},
      {"older-script-variant", "Made by an earlier state of the script, whose network is not known.", true},
      {"tf32-by-default", "PyTorch of that time computed fp32 in TF32 on this GPU.", true},
      {"unstated-work", "What exactly was timed is not stated; the case's id is our choice.", false},
      {"invalid-accuracy", "The accuracy printed, 0.00 %, is a fault of the evaluation; the time stands.",
       false},
      {"diverged", "The loss became infinite.", false},
      {"not-learning", "The loss stayed where guessing is.", false},
      {"no-synchronise", "The clock was read without waiting for the device, which may have been at work.",
       false},
      {"read-off-chart", "Read off a chart by eye.", false},
      {"disagreeing-sources", "Sources state different figures.", false},
      {"coarse-resolution", "Printed in hundredths of a minute; the interval is what rounding leaves open.",
       false},
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
             (caution.other_work ? " Not compared, never the best." : "") + " |\n";
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
