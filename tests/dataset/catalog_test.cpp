#include "dataset/catalog.hpp"

#include "support/errors.hpp"

namespace mpsbench::dataset {
namespace {

TEST(Catalog, KnowsEachDataSetByItsName) {
  ASSERT_FALSE(datasets().empty());
  for (const DatasetInfo& one : datasets()) {
    EXPECT_EQ(&dataset_named(one.name), &one);
    EXPECT_FALSE(one.files.empty()) << one.name;
  }
  EXPECT_NE(tests::error_of(base::ErrorKind::internal, [] { (void)dataset_named("cifar100"); }), "");
}

TEST(Catalog, TimesInferenceOnTestImagesAndTrainingQuestions) {
  EXPECT_EQ(dataset_named("cifar10").inference, Split::test);
  EXPECT_EQ(dataset_named("mnist").inference, Split::test);
  EXPECT_EQ(dataset_named("trec").inference, Split::train);
}

TEST(Catalog, KnowsThePublishedFiles) {
  const PublishedFile* file = published_file("TREC_10.label");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->bytes, 23'354U);
  EXPECT_EQ(published_file("TREC_10.label.gz"), nullptr);
}

}  // namespace
}  // namespace mpsbench::dataset
