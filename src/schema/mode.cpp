#include "schema/mode.hpp"

#include "schema/case_spec.hpp"

namespace mpsbench::schema {

bool reads_each_loss(const CaseSpec& spec) {
  return as_published(spec.loop) && row_of(spec.mode).trains && spec.optimizer.name != "none";
}

bool is_published_inference(const CaseSpec& spec) {
  return as_published(spec.loop) && spec.mode == Mode::infer && spec.iterations;
}

}  // namespace mpsbench::schema
