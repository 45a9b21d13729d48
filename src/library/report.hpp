// Reads and writes reports in other programs. An installed tree has this header as <mpsbench/report.hpp>, and
// its CMake target is mpsbench::report. docs/library.md says which parts stay as they are.
#pragma once

#include "schema/report.hpp"

namespace mpsbench {

using base::Error;
using base::ErrorKind;
using schema::CaseResult;
using schema::Launch;
using schema::load_report;
using schema::Metrics;
using schema::Report;
using schema::save_report;

}  // namespace mpsbench
