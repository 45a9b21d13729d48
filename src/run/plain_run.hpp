// A run that ends with its report.
#pragma once

#include "run/task.hpp"

namespace mpsbench::run {

class PlainRun final : public Task {
 public:
  void prepare(schema::RunRecord& record) override;
  [[nodiscard]] base::ExitCode run(Session& session, View& view) override;
};

}  // namespace mpsbench::run
