// Fuzzes model definitions: expands them, checks their shapes and counts.
#include "base/json_file.hpp"
#include "fuzz/harness.hpp"
#include "model/build_network_plan.hpp"
#include "schema/network_plan.hpp"

#include <nlohmann/json.hpp>

using namespace mpsbench;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::try_to([&] {
    const model::Definition definition =
        model::read_definition(base::parse_json(fuzz::text_of(data, size), "a.json"), "a.json");
    for (const schema::Mode mode : {schema::Mode::train, schema::Mode::infer}) {
      fuzz::try_to([&] {
        const schema::NetworkPlan plan = model::build_network_plan(definition, 3, {}, definition.loss, mode);
        (void)base::to_text(schema::to_json(plan));
      });
    }
    fuzz::try_to([&] {
      (void)model::build_network_plan(definition, 1, {{"classes", 7}, {"dropout", 0.5}, {"tokens", 9}, {"hidden", 8}},
                                      "mean", schema::Mode::train);
    });
  });
  return 0;
}
