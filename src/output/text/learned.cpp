#include "output/text/learned.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mpsbench::output {
namespace {

std::string percent(const schema::Evaluation& one) {
  if (one.rows == 0) return "none";
  return fmt::format("{:.2f} %", 100 * static_cast<double>(one.correct) / static_cast<double>(one.rows));
}

std::string clock(double seconds) {
  return fmt::format("{:.2f} min ({:.1f} s)", seconds / 60, seconds);
}

}  // namespace

std::string learned(const schema::CaseResult& result) {
  const auto has_learned = [](const schema::Launch& one) {
    return one.status == schema::Status::ok && !one.evaluations.empty() && !one.epochs.empty();
  };
  const auto launch = std::find_if(result.launches.begin(), result.launches.end(), has_learned);
  if (launch == result.launches.end()) return "";
  const bool is_one_of_many = std::count_if(launch, result.launches.end(), has_learned) > 1;
  double epochs_seconds = 0;
  for (const schema::EpochRecord& epoch : launch->epochs) epochs_seconds += epoch.seconds;
  double training_seconds = epochs_seconds;
  double test_seconds = 0;
  std::string rights;
  for (const schema::Evaluation& one : launch->evaluations) {
    (one.part == schema::DataPart::test ? test_seconds : training_seconds) += one.seconds;
    if (one.epoch != launch->evaluations.back().epoch) continue;
    rights += (rights.empty() ? "" : ", ") + to_string(one.part) + " " + percent(one);
  }
  const std::size_t epochs = launch->epochs.size();
  return fmt::format(
      "{} after {} epoch{}: {}. Times: epoch without evaluation {}, total training {}, total {}.",
      is_one_of_many ? "In the first good launch, accuracy" : "Accuracy", epochs, epochs == 1 ? "" : "s",
      rights, clock(epochs_seconds / static_cast<double>(epochs)), clock(training_seconds),
      clock(training_seconds + test_seconds));
}

}  // namespace mpsbench::output
