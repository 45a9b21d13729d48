#include "input/dataset/catalog.hpp"

#include "support/errors.hpp"

namespace mpsbench::dataset {
namespace {

using schema::DataPart;
using schema::Dataset;

TEST(Catalog, TimesInferenceOnTestImagesAndTrainingQuestions) {
  EXPECT_EQ(info_of(Dataset::cifar10).inference, DataPart::test);
  EXPECT_EQ(info_of(Dataset::mnist).inference, DataPart::test);
  EXPECT_EQ(info_of(Dataset::trec).inference, DataPart::train);
  EXPECT_NE(tests::error_of(base::ErrorKind::internal, [] { (void)info_of(Dataset::synthetic); }), "");
}

TEST(Catalog, KnowsThePublishedFiles) {
  const PublishedFile* file = published_file("TREC_10.label");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->bytes, 23'354U);
  EXPECT_EQ(published_file("TREC_10.label.gz"), nullptr);
}

}  // namespace
}  // namespace mpsbench::dataset
