#include "suite/catalog.hpp"

#include "base/json_file.hpp"
#include "suite/support.hpp"
#include "support/scratch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace mpsbench::suite {

namespace {

using nlohmann::json;
using tests::contains;
using tests::Scratch;
using tests::usage_error_of;

std::string suite_refusal(const json& document) {
  return usage_error_of([&] { (void)read_suite(document, "s.json"); });
}

json suite_with(const std::string& key, const json& value) {
  json document = {{"name", "s"}, {"matrices", {{{"model", "mlp"}}}}};
  document[key] = value;
  return document;
}

json suite_with_matrix(const json& matrix) {
  return suite_with("matrices", {{{"model", "mlp"}}, matrix});
}

TEST(SuiteFile, LaysMatricesOverTheCommonSettings) {
  const json document = {{"$schema", "schema/suite.schema.json"},
                         {"name", "nightly"},
                         {"description", "words"},
                         {"repeats", 2},
                         {"batch-size", 8},
                         {"strict", true},
                         {"matrices", {{{"model", "mlp"}}, {{"model", "vgg16"}, {"batch-size", {1, 2}}}}}};
  const Suite suite = read_suite(document, "s.json");
  EXPECT_EQ(suite.name, "nightly");
  EXPECT_EQ(suite.description, "words");
  ASSERT_EQ(suite.matrices.size(), 2U);
  EXPECT_EQ(suite.matrices[0].batch_sizes.value().everywhere.sizes, std::vector<std::int64_t>{8});
  EXPECT_EQ(suite.matrices[1].batch_sizes.value().everywhere.sizes, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(suite.matrices[1].repeats.value(), 2);
  EXPECT_TRUE(suite.settings.strict.is_on());
  EXPECT_FALSE(suite.settings.models.has());
}

TEST(SuiteFile, MessagesNameThePlaceThatWon) {
  const Suite suite = read_suite(suite_with("batch-size", 8), "s.json");
  EXPECT_STREQ(suite.matrices[0].batch_sizes.error("x").what(), "s.json: $.batch-size: x");
  EXPECT_STREQ(suite.matrices[0].models.error("x").what(), "s.json: $.matrices[0].model: x");
}

TEST(SuiteFile, IsASuiteEvenWithTheKeyOfAReport) {
  EXPECT_EQ(suite_refusal(suite_with("schema_version", 1)), "s.json: $: unknown key 'schema_version'");
  EXPECT_EQ(suite_refusal({{"schema_version", 1}}),
            "s.json: $: this is a report, not a suite; to continue its run, use --resume");
}

TEST(SuiteFile, NamesThePathOfEveryError) {
  EXPECT_EQ(suite_refusal({{"matrices", json::array()}}), "s.json: $: the key 'name' is missing");
  EXPECT_EQ(suite_refusal({{"name", "s"}}), "s.json: $: the key 'matrices' is missing");
  EXPECT_EQ(suite_refusal(suite_with("matrices", json::array())),
            "s.json: $.matrices: the list is empty; a suite needs at least one matrix");
  EXPECT_TRUE(contains(suite_refusal(suite_with("matrices", std::vector(1001, json::object()))),
                       "s.json: $.matrices: the list has more than 1000 matrices"));
  EXPECT_EQ(suite_refusal(suite_with("matrices", {1})), "s.json: $.matrices[0]: expected an object, found 1");
  EXPECT_EQ(suite_refusal(suite_with("threads", 0)),
            "s.json: $.threads: expected whole numbers from 1 to 4096 such as 1,2,4 or 1-8*2, found '0'");
  EXPECT_EQ(suite_refusal(suite_with_matrix({{"mode", "learn"}})),
            "s.json: $.matrices[1].mode: unknown value 'learn'; known: train, infer, generate, data");
  EXPECT_EQ(suite_refusal(suite_with_matrix({{"optimizer", "sgd:momentun=0.9"}})),
            "s.json: $.matrices[1].optimizer: the optimizer sgd has no setting 'momentun' (did you mean 'momentum'?)");
}

TEST(SuiteFile, RefusesUnknownKeysAndSuggests) {
  EXPECT_EQ(suite_refusal(suite_with("repeat", 2)), "s.json: $: unknown key 'repeat' (did you mean 'repeats'?)");
  EXPECT_EQ(suite_refusal(suite_with("matrixes", 2)), "s.json: $: unknown key 'matrixes' (did you mean 'matrices'?)");
  EXPECT_EQ(suite_refusal(suite_with_matrix({{"models", "mlp"}})),
            "s.json: $.matrices[1]: unknown key 'models' (did you mean 'model'?)");
  EXPECT_EQ(suite_refusal(suite_with("data-set", "mnist")),
            "s.json: $: unknown key 'data-set' (did you mean 'dataset'?)");
}

TEST(SuiteFile, KeepsOptionsOfTheCommandLineOut) {
  for (const Option& option : options()) {
    if (option.traits.place != OptionPlace::command_line) continue;
    EXPECT_TRUE(contains(suite_refusal(suite_with(option.name, "x")), "$: unknown key")) << option.name;
  }
  EXPECT_EQ(suite_refusal(suite_with("output", "md")),
            "s.json: $: a suite has no key 'output'; choose the format with mpsbench run -f FORMAT");
  EXPECT_TRUE(contains(suite_refusal(suite_with_matrix({{"color", "never"}})), "$.matrices[1]: unknown key 'color'"));
}

TEST(SuiteFile, RefusesANameThatIsNoFileName) {
  for (const json& name :
       {json(""), json("a/b"), json("../x"), json(".."), json("a b"), json(std::string(101, 'x')), json("a\u202Eb")}) {
    EXPECT_TRUE(contains(suite_refusal(suite_with("name", name)), "s.json: $.name: a suite's name must be")) << name;
  }
  EXPECT_EQ(read_suite(suite_with("name", "nightly-2_b.1"), "s.json").name, "nightly-2_b.1");
  EXPECT_EQ(read_suite(suite_with("name", "\u6bcf\u591c"), "s.json").name, "\u6bcf\u591c");
}

TEST(SuiteFile, ReadsTheProjectsOwn) {
  const suite::Catalog catalog = tests::project_catalog();
  EXPECT_EQ(catalog.suite_names(),
            (std::vector<std::string>{"apple-bert", "apple-resnet50", "apple-vgg16", "bert-infer", "bert-train-full",
                                      "bert-train-head", "cpu", "lenet-mnist", "llm", "mlp-mnist", "modern", "quick",
                                      "simple-mlp", "vgg16-cifar10", "zoo"}));
  for (const std::string& name : catalog.suite_names()) {
    const Suite suite = catalog.load_suite(name);
    EXPECT_EQ(suite.name, name);
    EXPECT_FALSE(suite.description.empty());
  }
}

TEST(Catalog, KnowsTheProjectsModels) {
  const std::vector<std::string> names = tests::project_catalog().model_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_TRUE(std::binary_search(names.begin(), names.end(), "bert-tiny"));
  EXPECT_GE(names.size(), 20U);
}

TEST(Catalog, LoadsAModelThatIsNamedLikeItsFile) {
  EXPECT_EQ(tests::definition_of("lenet5").name, "lenet5");
}

TEST(Catalog, SuggestsTheNearestName) {
  EXPECT_EQ(usage_error_of([] { (void)tests::definition_of("vgg1"); }),
            "unknown model 'vgg1' (did you mean 'vgg11', 'vgg13', 'vgg16' or 'vgg19'?); see `mpsbench list models`, or "
            "name a file that ends in .json");
  EXPECT_EQ(usage_error_of([] { (void)tests::definition_of("transformer"); }),
            "unknown model 'transformer'; see `mpsbench list models`, or name a file that ends in .json");
  EXPECT_TRUE(contains(usage_error_of([] { (void)tests::definition_of("MLP"); }),
                       "unknown model 'MLP' (did you mean 'mlp' or 'mlp-mnist'?)"));
  EXPECT_TRUE(contains(usage_error_of([] { (void)tests::project_catalog().load_suite("quik"); }),
                       "unknown suite 'quik' (did you mean 'quick'?); see `mpsbench list suites`"));
}

TEST(Catalog, TellsModelsFromSuites) {
  EXPECT_EQ(usage_error_of([] { (void)tests::project_catalog().load_suite("mlp"); }),
            "unknown suite 'mlp', but a model has this name; write --model mlp");
  EXPECT_EQ(usage_error_of([] { (void)tests::definition_of("quick"); }),
            "unknown model 'quick', but a suite has this name; write mpsbench run quick");
}

TEST(Catalog, TakesAPathForANameWithASlashOrSuffix) {
  const Scratch scratch;
  const std::string model =
      scratch.write("my-net", tests::content(std::string(MPSBENCH_SOURCE_DIR) + "/models/mlp.json"));
  EXPECT_EQ(tests::project_catalog().load_model(model).name, "mlp");
  EXPECT_EQ(usage_error_of([] { (void)tests::definition_of("mlp.json"); }),
            "mlp.json: no such file; mpsbench's own model has a name without .json: mlp");
  EXPECT_EQ(usage_error_of([] { (void)tests::definition_of("./mlp"); }),
            "./mlp: no such file; check its path, or see `mpsbench list models`");
  const std::string suite = scratch.write("s.json", R"({"name": "mine", "matrices": [{"model": "mlp"}]})");
  EXPECT_EQ(tests::project_catalog().load_suite(suite).name, "mine");
  EXPECT_EQ(usage_error_of([] { (void)tests::project_catalog().load_suite("quick.json"); }),
            "quick.json: no such file; mpsbench's own suite has a name without .json: quick");
}

TEST(Catalog, RefusesNamesThatLeaveItsFolder) {
  EXPECT_TRUE(contains(usage_error_of([] { (void)tests::definition_of(".."); }), "unknown model '..'"));
  EXPECT_TRUE(contains(usage_error_of([] { (void)tests::definition_of(""); }), "unknown model ''"));
}

TEST(Catalog, NamesTheFileOfABrokenDefinition) {
  const Scratch scratch;
  const std::string broken = scratch.write("broken.json", "{\"name\": \"x\"}");
  EXPECT_TRUE(contains(usage_error_of([&] { (void)tests::project_catalog().load_model(broken); }),
                       broken + ": $: the key 'inputs' is missing"));
  EXPECT_TRUE(contains(usage_error_of([&] { (void)tests::project_catalog().load_suite(broken); }),
                       broken + ": $: the key 'matrices' is missing"));
}

TEST(Catalog, SaysThatItsOwnFilesAreGone) {
  const Scratch scratch;
  EXPECT_TRUE(contains(usage_error_of([&] { (void)Catalog(scratch / "none").model_names(); }),
                       "the program's own files are missing: " + (scratch / "none/models").string()));
}

}  // namespace

}  // namespace mpsbench::suite
