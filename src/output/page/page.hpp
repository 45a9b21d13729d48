// Shows reports as one page for a browser. The front writes its sentences, its tables and everything that its
// script can draw, as JSON; page.css and page.js are the same in every page. The page loads nothing from
// elsewhere, and its content security policy allows no other style or script.
#pragma once

#include "schema/report.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::output {

// Made from page.css and page.js.
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

// REPORTS must not be empty. FILES are their names, in the same order; it may be empty if they have none.
[[nodiscard]] std::string to_html(const std::vector<schema::Report>& reports,
                                  const std::vector<std::string>& files = {});

}  // namespace mpsbench::output
