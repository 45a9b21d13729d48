#include "suite/catalog.hpp"

#include "suite/support.hpp"
#include "support/scratch.hpp"

#include <algorithm>

namespace mpsbench::suite {
namespace {

using tests::contains;
using tests::Scratch;
using tests::usage_error_of;

TEST(Catalog, KnowsTheProjectsModels) {
  const std::vector<std::string> names = tests::project_catalog().model_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const char* name :
       {"alexnet",  "bert-base", "bert-tiny", "lenet5",           "mlp",   "mlp-mnist", "resnet18",
        "resnet34", "resnet50",  "resnet101", "resnet152",        "vgg11", "vgg11_bn",  "vgg13",
        "vgg13_bn", "vgg16",     "vgg16_bn",  "vgg16_bn-cifar10", "vgg19", "vgg19_bn"}) {
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), name)) << name;
  }
}

TEST(Catalog, LoadsAModelThatIsNamedLikeItsFile) {
  EXPECT_EQ(tests::definition_of("lenet5").name, "lenet5");
}

TEST(Catalog, SuggestsTheNearestName) {
  EXPECT_EQ(usage_error_of([] { (void)tests::definition_of("vgg1"); }),
            "unknown model 'vgg1' (did you mean 'vgg11', 'vgg13', 'vgg16' or 'vgg19'?); see `mpsbench list "
            "models`, or name a file that ends in .json");
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
