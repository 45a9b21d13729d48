// What a command makes of its run beyond the report.
#pragma once

#include "base/error.hpp"
#include "schema/report.hpp"
#include "suite/settings.hpp"

#include <vector>

namespace mpsbench::cli {

class Sequel {
 public:
  Sequel() = default;
  virtual ~Sequel() = default;
  Sequel(const Sequel&) = delete;
  Sequel& operator=(const Sequel&) = delete;

  // Before the plan is made: of each matrix.
  virtual void adjust(suite::Settings& /*matrix*/) {}
  // The plan is made and nothing has run. May raise its repeats; throws Error to refuse it.
  virtual void prepare(schema::RunRecord& /*record*/) {}
  // All that was planned has run. True: the RECORDS' plans have more repeats now, alike, which are to run
  // too.
  virtual bool extend(const std::vector<schema::RunRecord*>& /*records*/) { return false; }
  // Whether --resume can go on with the run when it was interrupted.
  [[nodiscard]] virtual bool is_resumable() const { return true; }
  // The REPORTS, in the records' order, are written. Not called for a run that was interrupted.
  virtual base::ExitCode conclude(const std::vector<schema::Report>& /*reports*/) {
    return base::ExitCode::ok;
  }
};

}  // namespace mpsbench::cli
