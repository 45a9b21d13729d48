// Fuzzes the header of a safetensors file.
#include "base/safetensors.hpp"
#include "fuzz/harness.hpp"

using namespace mpsbench;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  fuzz::try_to([&] { (void)base::read_safetensors_header(file.path()); });
  return 0;
}
