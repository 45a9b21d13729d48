#include "run/plain_run.hpp"

namespace mpsbench::run {

void PlainRun::prepare(schema::RunRecord& /*record*/) {}

base::ExitCode PlainRun::run(Session& session, View& view) {
  session.run_launches(view);
  return base::worse(at_best_, session.finish(view).code);
}

}  // namespace mpsbench::run
