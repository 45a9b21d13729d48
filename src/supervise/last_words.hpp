// What the end of a program's stderr tells about its end, and what to do about that.
#pragma once

#include <string>

namespace mpsbench::supervise {

// Returns the last line of TEXT that is not blank.
[[nodiscard]] std::string last_line(const std::string& text);

// Returns the last line of STDERR_TAIL that is known to tell why a program ended, such as libgomp's or that
// of an uncaught exception, or an empty text.
[[nodiscard]] std::string telling_line(const std::string& stderr_tail);

// Returns the same or, if no line is known to tell it, the last one that is neither a warning nor part of a
// stack trace.
[[nodiscard]] std::string last_words(const std::string& stderr_tail);

// Returns MESSAGE with what to do, after "; ", if it names a known reason and does not say what to do yet. If
// threads cannot be made, or if a program ended IS_AT_START for no known reason, it also names the variables
// of OpenMP that may be to blame.
[[nodiscard]] std::string with_cure(const std::string& message, bool is_at_start = false);

}  // namespace mpsbench::supervise
