#include "run/launch_request.hpp"

#include "model/case_network_plan.hpp"
#include "report/host/privacy.hpp"

namespace mpsbench::run {

schema::LaunchRequest launch_request(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  schema::LaunchRequest request;
  request.spec = planned.spec;
  request.network_plan = model::case_network_plan(record.run, planned.definition_sha256, planned.spec);
  request.measure = planned.measure;
  if (planned.weights_path) request.weights = report::expand_home(*planned.weights_path);
  if (planned.data_path) request.data_folder = report::expand_home(*planned.data_path);
  if (planned.vocabulary_path) request.vocabulary = report::expand_home(*planned.vocabulary_path);
  if (planned.dump_first_step_path)
    request.dump_first_step = report::expand_home(*planned.dump_first_step_path);
  return request;
}

}  // namespace mpsbench::run
