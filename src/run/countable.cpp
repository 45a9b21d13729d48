#include "run/countable.hpp"

#include "base/error.hpp"

namespace mpsbench::run {

void require_countable(const schema::RunRecord& record) {
  constexpr std::int64_t kMostLaunches = 1'000'000;
  std::int64_t launches = 0;
  for (const schema::PlannedCase& planned : record.run.planned) {
    if (planned.repeats > kMostLaunches - launches)
      throw base::usage_error(
          "the plan has more than a million launches; lower --repeats, or run it in parts");
    launches += planned.repeats;
  }
}

}  // namespace mpsbench::run
