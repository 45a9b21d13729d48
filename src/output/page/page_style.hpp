// How a page looks: on a phone, in light and dark mode, and on paper.
#pragma once

namespace mpsbench::output {

// Returns the page's style sheet.
[[nodiscard]] const char* page_style();

}  // namespace mpsbench::output
