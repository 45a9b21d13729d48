#include "run/sides.hpp"

#include "base/error.hpp"
#include "run/places.hpp"

#include <algorithm>
#include <cstddef>

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;

std::vector<Side> open_at(const std::vector<fs::path>& places, const std::vector<Contender>& contenders) {
  std::vector<Side> sides;
  try {
    for (std::size_t i = 0; i < contenders.size(); ++i)
      sides.push_back({contenders[i],
                       supervise::Journal::create(journal_path(places[i]), *contenders[i].record),
                       places[i]});
  } catch (const base::Error&) {
    for (Side& side : sides) side.journal.remove();
    throw;
  }
  return sides;
}

bool any_exists(const std::vector<fs::path>& files) {
  return std::any_of(files.begin(), files.end(), [](const fs::path& file) { return fs::exists(file); });
}

std::vector<fs::path> journals_of(std::vector<fs::path> reports) {
  for (fs::path& report : reports) report = journal_path(report);
  return reports;
}

std::vector<Side> open_in_free_place(const fs::path& report, const std::vector<Contender>& contenders) {
  constexpr int kMostNames = 100;
  for (int number = 1;; ++number) {
    fs::path place = report;
    if (number > 1) place.replace_filename(report.stem().string() + "-" + std::to_string(number) + ".json");
    const std::vector<fs::path> places = report_places(place, contenders.size() > 1);
    try {
      std::vector<Side> sides = open_at(places, contenders);
      // Only now: whoever had the journal before has left its report.
      if (!any_exists(places)) return sides;
      for (Side& side : sides) side.journal.remove();
    } catch (const base::Error&) {
      if (number == kMostNames || !any_exists(journals_of(places))) throw;
    }
  }
}

}  // namespace

std::vector<Side> open_sides(const fs::path& report, bool is_named,
                             const std::vector<Contender>& contenders) {
  if (is_named) return open_at(report_places(report, contenders.size() > 1), contenders);
  return open_in_free_place(report, contenders);
}

}  // namespace mpsbench::run
