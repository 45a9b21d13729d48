#include "cli/shell/man.hpp"

#include "cli/sample_tree.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::cli {
namespace {

TEST(ManualPage, HoldsCommandsAndOptionsEscaped) {
  const std::string page = manual_page(tests::sample_tree(), "mpsbench 1.2");
  EXPECT_EQ(page.rfind(".TH MPSBENCH 1 \"\" \"mpsbench 1.2\"\n.SH NAME\n", 0), 0U);
  for (const char* part : {".SS \\fBrun\\fR\n", "[\\fIoptions\\fR] \\fIFILE\\fR...\n", "do it: now.\n",
                           ".TP\n\\fB\\-m\\fR, \\fB\\-\\-mode\\fR \\fIA,B\\fR\nit's [this]: \\e or that\n",
                           ".TP\n\\fB\\-\\-quiet\\fR\nsay less\n", ".nf\n\\&.first\n\\&\n\\&'second\n.fi\n",
                           ".SH \"EXIT STATUS\"\n.nf\nExit codes: 0\n.fi\n"})
    EXPECT_TRUE(tests::contains(page, part)) << part << "\nin\n" << page;
}

}  // namespace
}  // namespace mpsbench::cli
