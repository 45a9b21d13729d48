#include "cli/plan_case.hpp"

#include "base/error.hpp"
#include "model/build_plan.hpp"

namespace mpsbench::cli {
namespace {

constexpr std::int64_t kMostLaunches = 1'000'000;

}  // namespace

void require_countable(const schema::RunRecord& record) {
  std::int64_t launches = 0;
  for (const schema::PlannedCase& planned : record.run.plan) {
    if (planned.repeats > kMostLaunches - launches)
      throw base::usage_error(
          "the plan has more than a million launches; lower --repeats, or run it in parts");
    launches += planned.repeats;
  }
}

schema::Plan plan_case(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const auto found = record.run.definitions.find(planned.definition_sha256);
  if (found == record.run.definitions.end()) {
    throw base::usage_error("the run holds no definition " + planned.definition_sha256 + " for " +
                            planned.id);
  }
  const model::Definition definition = model::read_definition(found->second, planned.spec.model);
  const schema::CaseSpec& spec = planned.spec;
  return model::build_plan(definition, spec.batch_size, spec.classes, spec.dropout, spec.loss, spec.mode);
}

}  // namespace mpsbench::cli
