#include "run/journaled_runs.hpp"

#include "base/error.hpp"
#include "run/plan/places.hpp"

#include <algorithm>
#include <cstddef>

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;
using supervise::JournaledRun;
using supervise::WorkerRun;

// Once the journals are locked, THEN may change what is at PLACES.
std::vector<JournaledRun> open_at(const std::vector<fs::path>& places, const std::vector<WorkerRun>& runs,
                                  void (*then)(const fs::path&) = nullptr) {
  std::vector<JournaledRun> journaled;
  try {
    for (std::size_t i = 0; i < runs.size(); ++i)
      journaled.push_back(
          {runs[i], supervise::Journal::create(journal_path(places[i]), *runs[i].record, places[i]), places[i]});
    if (then != nullptr) std::ranges::for_each(places, then);
  } catch (const base::Error&) {
    for (JournaledRun& one : journaled) one.journal.remove();
    throw;
  }
  return journaled;
}

bool any_exists(const std::vector<fs::path>& files) {
  return std::any_of(files.begin(), files.end(), [](const fs::path& file) { return fs::exists(file); });
}

std::vector<fs::path> journals_of(std::vector<fs::path> reports) {
  for (fs::path& report : reports) report = journal_path(report);
  return reports;
}

std::vector<JournaledRun> open_in_free_place(const fs::path& report, const std::vector<WorkerRun>& runs) {
  constexpr int kMostNames = 100;
  for (int number = 1;; ++number) {
    fs::path place = report;
    if (number > 1) place.replace_filename(report.stem().string() + "-" + std::to_string(number) + ".json");
    const std::vector<fs::path> places = report_places(place, runs.size() > 1);
    try {
      std::vector<JournaledRun> journaled = open_at(places, runs);
      // Check this after making the journal: another run may just have replaced its journal by its report.
      if (!any_exists(places)) return journaled;
      for (JournaledRun& one : journaled) one.journal.remove();
    } catch (const base::Error&) {
      // The other run may have replaced its journal by its report meanwhile.
      if (number == kMostNames || !(any_exists(journals_of(places)) || any_exists(places))) throw;
    }
  }
}

}  // namespace

std::vector<JournaledRun> open_journals(const fs::path& report, bool is_named, const std::vector<WorkerRun>& runs) {
  if (is_named) return open_at(report_places(report, runs.size() > 1), runs, keep_earlier);
  return open_in_free_place(report, runs);
}

}  // namespace mpsbench::run
