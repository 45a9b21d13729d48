// What stdout is to hold when a run is done: --output.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::suite {

enum class OutputFormat { table, md, csv, json, jsonl };

struct OutputFormatRow {
  OutputFormat value;
  std::string_view name;
};

}  // namespace mpsbench::suite

template <>
struct mpsbench::schema::ClosedSet<mpsbench::suite::OutputFormat> {
  using Format = suite::OutputFormat;
  using Row = suite::OutputFormatRow;
  static constexpr const char* kWhat = "format";
  static constexpr std::array kRows{Row{Format::table, "table"}, Row{Format::md, "md"},
                                    Row{Format::csv, "csv"}, Row{Format::json, "json"},
                                    Row{Format::jsonl, "jsonl"}};
};
static_assert(mpsbench::schema::is_whole<mpsbench::suite::OutputFormat>());
