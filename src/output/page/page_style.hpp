// How a page looks: on a phone, in light and dark, on paper.
#pragma once

namespace mpsbench::output {

// A style sheet.
[[nodiscard]] const char* page_style();

}  // namespace mpsbench::output
