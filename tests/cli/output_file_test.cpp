#include "cli/commands/output_file.hpp"

#include "base/json_file.hpp"
#include "cli/support.hpp"

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::usage_error_of;

TEST(OutputFile, IsWrittenWhole) {
  const tests::Scratch scratch;
  const std::string file = (scratch.root() / "new" / "out.txt").string();
  require_output(file);
  EXPECT_FALSE(std::filesystem::exists(file)) << "a proof leaves nothing";
  write_output(file, "text\n");
  EXPECT_EQ(base::read_text_file(file, 100), "text\n");
}

TEST(OutputFile, DashIsStdout) {
  require_output("-");
  const tests::Outcome outcome = tests::caught([] {
    write_output("-", "text\n");
    return 0;
  });
  EXPECT_EQ(outcome.out, "text\n");
}

TEST(OutputFile, RefusesWhatIsNoFile) {
  const tests::Scratch scratch;
  const std::string folder = scratch.root().string();
  EXPECT_TRUE(contains(usage_error_of([&] { require_output(folder); }), "--output: " + folder));
  EXPECT_TRUE(contains(usage_error_of([&] { require_output("/dev/null/x"); }), "--output"));
}

}  // namespace
}  // namespace mpsbench::cli
