#include "base/machine_code.hpp"

#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mpsbench::base {
namespace {

std::string little_endian(unsigned number, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i, number >>= 8U) bytes += static_cast<char>(number & 0xFFU);
  return bytes;
}

std::string elf(unsigned kind, unsigned machine) {
  return std::string(
             "\x7F"
             "ELF\x02\x01\x01",
             7) +
         std::string(9, '\0') + little_endian(kind, 2) + little_endian(machine, 2);
}

std::string mach_o(unsigned machine, unsigned kind) {
  return std::string("\xCF\xFA\xED\xFE", 4) + little_endian(machine, 4) + little_endian(0, 4) + little_endian(kind, 4);
}

TEST(MachineCode, ReadsThePlatformOfALibrary) {
  EXPECT_EQ(code_platform(elf(3, 0x3E)), "Linux on x86-64");
  EXPECT_EQ(code_platform(elf(3, 0xB7)), "Linux on aarch64");
  EXPECT_EQ(code_platform(mach_o(0x0100000C, 6)), "macOS on arm64");
  EXPECT_EQ(code_platform(mach_o(0x01000007, 8)), "macOS on x86-64");
}

TEST(MachineCode, FindsTheLibraryInAnArchive) {
  // Before it: an object file, and code for a GPU (machine 190).
  EXPECT_EQ(code_platform("PK\x03\x04" + elf(1, 0x3E) + elf(3, 190) + "name" + elf(3, 0xB7) + "rest"),
            "Linux on aarch64");
}

TEST(MachineCode, SaysNothingWithoutALibrary) {
  for (const std::string& bytes :
       {std::string(), std::string("no library"), elf(1, 0x3E), elf(3, 0x3E).substr(0, 18), mach_o(0x0100000C, 1)})
    EXPECT_EQ(code_platform(bytes), "");
}

TEST(MachineCode, SaysWhyAProgramDoesNotStart) {
  const tests::Scratch scratch;
  const std::error_code format = std::make_error_code(std::errc::executable_format_error);
  EXPECT_EQ(start_problem(scratch.write("program", elf(3, 0xF3)), format),
            "Exec format error; it was built for Linux on riscv64, but this is " + own_platform());
  EXPECT_EQ(start_problem(scratch.write("text", "no program"), format), "Exec format error");
  EXPECT_EQ(start_problem(scratch / "none", format), "Exec format error");
  EXPECT_EQ(start_problem(scratch / "none", std::make_error_code(std::errc::permission_denied)), "Permission denied");
}

TEST(MachineCode, KnowsItsOwn) {
  EXPECT_FALSE(own_platform().empty());
}

}  // namespace
}  // namespace mpsbench::base
