// What the fake NVML of tests/fake_nvml answers.
#pragma once

#include <cstdlib>

namespace mpsbench::tests {

inline void nvml_says(const char* text) {
  ::setenv("FAKE_NVML", text, 1);
}

}  // namespace mpsbench::tests
