#include "run/plan/launch_request.hpp"

#include "model/build_network_plan.hpp"
#include "report/host/privacy.hpp"
#include "suite/model_file.hpp"

#include <filesystem>
#include <system_error>

namespace mpsbench::run {

schema::LaunchRequest launch_request(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  schema::LaunchRequest request;
  request.spec = planned.spec;
  request.network_plan = model::case_network_plan(record.run, planned.definition_sha256, planned.spec);
  request.measure = planned.measure;
  if (planned.spec.ranks > 1) {
    request.group = schema::GroupPlace{};
    request.group->ranks = planned.spec.ranks;
    request.group->timeout_seconds = planned.rendezvous_timeout_seconds;
  }
  if (planned.weights_path) request.weights = report::expand_home(*planned.weights_path);
  if (schema::runs_package_file(request.network_plan)) {
    const nlohmann::json& definition = record.run.definitions.at(planned.definition_sha256);
    // The worker opens no link, so that what it checks is what it loads.
    std::error_code failure;
    request.package = {.path = std::filesystem::weakly_canonical(request.weights.value(), failure).string(),
                       .sha256 = suite::sha256_of_source(definition.value("source", "")),
                       .folder = ""};
  }
  if (planned.data_path) request.data_folder = report::expand_home(*planned.data_path);
  if (planned.vocabulary_path) request.vocabulary = report::expand_home(*planned.vocabulary_path);
  if (planned.dump_first_step_path) request.dump_first_step = report::expand_home(*planned.dump_first_step_path);
  return request;
}

}  // namespace mpsbench::run
