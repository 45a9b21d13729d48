#include "output/export/list_export.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpsbench::output {
namespace {

const nlohmann::ordered_json kEntries = nlohmann::ordered_json::array(
    {{{"name", "mlp"}, {"rows", 60000}, {"engines", {"eager", "graph"}}, {"usable", true}, {"reason", nullptr}}});

TEST(ListExport, HasATableForPeople) {
  EXPECT_EQ(list_table(kEntries),
            "name    rows  engines       usable  reason\n"
            "mlp   60,000  eager, graph  yes     –\n");
  EXPECT_EQ(list_markdown(kEntries).substr(0, 7), "| name ");
}

TEST(ListExport, HasDataForPrograms) {
  EXPECT_EQ(list_csv(kEntries), "name,rows,engines,usable,reason\r\nmlp,60000,\"eager, graph\",true,\r\n");
  EXPECT_EQ(nlohmann::ordered_json::parse(list_json(kEntries)), kEntries);
  EXPECT_EQ(nlohmann::ordered_json::parse(list_json_lines(kEntries)), kEntries.front());
}

}  // namespace
}  // namespace mpsbench::output
