// Resizes 8-bit planes for the test against PIL. The arguments are input height and width, output height and
// width, then top, left, height and width of the window to print. The planes come from stdin, one after
// another.
#include "input/pipeline/resize.hpp"

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace {

void write_bytes(std::ostream& out, const std::vector<std::uint8_t>& bytes) {
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

bool read_bytes(std::istream& in, std::vector<std::uint8_t>& bytes) {
  return static_cast<bool>(in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::int64_t> numbers;
  for (int i = 1; i < argc; ++i) numbers.push_back(std::stoll(argv[i]));
  if (numbers.size() != 8) {
    std::cerr << "usage: resize_plane HEIGHT WIDTH HEIGHT WIDTH TOP LEFT HEIGHT WIDTH <planes >resized\n";
    return 2;
  }
  const mpsbench::pipeline::Resize resize(numbers[0], numbers[1], numbers[2], numbers[3]);
  const mpsbench::pipeline::CropWindow window{numbers[4], numbers[5], numbers[6], numbers[7]};
  mpsbench::pipeline::ResizeScratch scratch;
  std::vector<std::uint8_t> plane(static_cast<std::size_t>(numbers[0] * numbers[1]));
  std::vector<std::uint8_t> out(static_cast<std::size_t>(window.height * window.width));
  while (read_bytes(std::cin, plane)) {
    resize.apply(plane, window, scratch, out);
    write_bytes(std::cout, out);
  }
  return 0;
}
