#include "input/dataset/catalog.hpp"

#include "support/errors.hpp"

namespace mpsbench::dataset {
namespace {

using schema::DataPart;
using schema::Dataset;

TEST(Catalog, KnowsEachDataSetOfFiles) {
  std::size_t with_files = 0;
  for (const schema::DatasetRow& row : schema::ClosedSet<Dataset>::kRows) {
    if (row.rows == schema::RowKind::drawn) continue;
    EXPECT_EQ(&info_of(row.value), &datasets()[with_files++]) << row.name;
    EXPECT_EQ(info_of(row.value).dataset, row.value) << row.name;
    EXPECT_FALSE(info_of(row.value).files.empty()) << row.name;
  }
  EXPECT_EQ(with_files, datasets().size());
  EXPECT_NE(tests::error_of(base::ErrorKind::internal, [] { (void)info_of(Dataset::synthetic); }), "");
}

TEST(Catalog, TimesInferenceOnTestImagesAndTrainingQuestions) {
  EXPECT_EQ(info_of(Dataset::cifar10).inference, DataPart::test);
  EXPECT_EQ(info_of(Dataset::mnist).inference, DataPart::test);
  EXPECT_EQ(info_of(Dataset::trec).inference, DataPart::train);
}

TEST(Catalog, KnowsThePublishedFiles) {
  const PublishedFile* file = published_file("TREC_10.label");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->bytes, 23'354U);
  EXPECT_EQ(published_file("TREC_10.label.gz"), nullptr);
}

}  // namespace
}  // namespace mpsbench::dataset
