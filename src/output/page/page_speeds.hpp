// How fast devices are at the same work, compared with one of them.
#pragma once

#include "output/page/page_reports.hpp"
#include "output/page/page_series.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::output {

// A speed in a row and a column of the page's MachineTable.
struct PageSpeed {
  std::size_t row = 0;
  std::size_t column = 0;
  report::Speed speed;
};

// A device that others are compared with. If reports share work, it is of the first report that shares work
// with at least half as many others as any report does: the device that is fastest at most of it. If only the
// devices of a report share work, it is the CPU.
struct PageSpeeds {
  std::size_t base = 0;  // a column of the page's MachineTable
  std::vector<PageSpeed> speeds;
};

// Returns the column of OWN's fastest device in ROW, or nullopt if OWN has no time there that may be
// compared.
[[nodiscard]] std::optional<std::size_t> fastest_column(const report::MachineTable& table,
                                                        const report::MachineRow& row,
                                                        const report::ComparedReport* own);

// Returns nullopt if no two devices did the same work.
[[nodiscard]] std::optional<PageSpeeds> page_speeds(const PageReports& page);

// A chart with the speeds. NAMES has the devices.
[[nodiscard]] std::string speeds_section(const PageReports& page, const PageSpeeds& speeds,
                                         SeriesNames& names);

}  // namespace mpsbench::output
