#include "schema/case_id.hpp"

namespace mpsbench::schema {

std::string plain_case_id(const CaseSpec& spec, const std::string& batch) {
  return spec.model + "/" + to_string(spec.mode) + "/" + to_string(spec.device) + "/b" + batch + "/" +
         to_string(spec.precision) + "/" + to_string(spec.engine) + "/" + to_string(spec.dataset);
}

}  // namespace mpsbench::schema
