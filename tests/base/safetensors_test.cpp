#include "base/safetensors.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

namespace mpsbench::base {
namespace {

using tests::contains;
using tests::Scratch;
using tests::usage_error_of;

std::string length_bytes(std::uint64_t length) {
  std::string bytes;
  for (unsigned i = 0; i < 8; ++i) bytes += static_cast<char>(length >> (8 * i));
  return bytes;
}

// Returns a file with HEADER unchanged, followed by DATA_BYTES zeros.
std::string file_of(const std::string& header, std::size_t data_bytes) {
  return length_bytes(header.size()) + header + std::string(data_bytes, '\0');
}

SafetensorsHeader read(const std::string& bytes) {
  const Scratch scratch;
  return read_safetensors_header(scratch.write("w.safetensors", bytes));
}

std::string header_refusal(const std::string& bytes) {
  return usage_error_of([&] { (void)read(bytes); });
}

// Returns the error for one tensor "w" whose entry is ENTRY, with 24 bytes of data.
std::string refusal_of_entry(const std::string& entry) {
  return header_refusal(file_of("{\"w\":{" + entry + "}}", 24));
}

TEST(Safetensors, ReadsWhatItWrites) {
  const std::map<std::string, TensorEntry> tensors{{"fc.weight", {"F32", {2, 3}, 0, 24}},
                                                   {"fc.bias", {"BF16", {4}, 24, 32}},
                                                   {"steps", {"I64", {}, 32, 40}},
                                                   {"none", {"F64", {0, 7}, 40, 40}}};
  const std::string header = make_safetensors_header(tensors);
  EXPECT_EQ(header.size() % 8, 0U);
  const SafetensorsHeader found = read(header + std::string(40, '\0'));
  EXPECT_EQ(found.data_offset, header.size());
  ASSERT_EQ(found.tensors.size(), 4U);
  for (const auto& [name, tensor] : tensors) {
    const TensorEntry& other = found.tensors.at(name);
    EXPECT_EQ(other.dtype, tensor.dtype) << name;
    EXPECT_EQ(other.shape, tensor.shape) << name;
    EXPECT_EQ(other.begin, tensor.begin) << name;
    EXPECT_EQ(other.end, tensor.end) << name;
  }
}

TEST(Safetensors, ReadsAFileOfOthers) {
  // Python's package writes the same file, apart from the padding: a header may have any length.
  const SafetensorsHeader found =
      read(file_of(R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})", 2));
  EXPECT_EQ(found.tensors.size(), 1U);
  EXPECT_TRUE(read(file_of("{}", 0)).tensors.empty());
}

TEST(Safetensors, RefusesATruncatedFile) {
  const std::string whole = make_safetensors_header({{"w", {"F32", {6}, 0, 24}}}) + std::string(24, '\0');
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{20}}) {
    EXPECT_TRUE(contains(header_refusal(whole.substr(0, length)), "not a safetensors file")) << length;
  }
  EXPECT_TRUE(contains(header_refusal(whole.substr(0, whole.size() - 1)), "is the file truncated?"));
}

TEST(Safetensors, RefusesAHeaderThatCannotBe) {
  EXPECT_TRUE(
      contains(header_refusal(length_bytes(~std::uint64_t{0}) + "{}"), "its header would have 18446744073709551615"));
  EXPECT_TRUE(contains(header_refusal(length_bytes(100'000'001) + "{}"), "its header would have 100000001"));
  constexpr std::size_t kLimit = 4U << 20U;
  EXPECT_TRUE(read(file_of("{}" + std::string(kLimit - 2, ' '), 0)).tensors.empty());
  EXPECT_TRUE(contains(header_refusal(file_of("{}" + std::string(kLimit - 1, ' '), 0)),
                       "its header has 4194305 bytes, more than the limit of 4194304"));
  EXPECT_TRUE(contains(header_refusal("PK\x03\x04 this is some other kind of file"), "not a safetensors file"));
  EXPECT_TRUE(contains(header_refusal(file_of("not JSON", 0)), "not valid JSON"));
  EXPECT_TRUE(contains(header_refusal(file_of("[]", 0)), "expected an object"));
  EXPECT_TRUE(contains(header_refusal(file_of("{\"w\": 1}", 0)), "$.w: expected an object"));
  EXPECT_TRUE(contains(header_refusal(file_of("{\"w\": {}, \"w\": {}}", 0)), "appears twice"));
  EXPECT_TRUE(contains(header_refusal(file_of(std::string(100'000, '['), 0)), "nested deeper"));
}

TEST(Safetensors, RefusesAnEntryThatDoesNotFit) {
  for (const auto& [entry, says] :
       {std::pair{R"("dtype":"F32","shape":[6])", "'data_offsets' is missing"},
        {R"("dtype":"F99","shape":[6],"data_offsets":[0,24])", "unknown dtype 'F99'"},
        {R"("dtype":"F32","shape":[-6],"data_offsets":[0,24])", "$.w.shape[0]"},
        {R"("dtype":"F32","shape":[1.5],"data_offsets":[0,24])", "$.w.shape[0]"},
        {R"("dtype":"F32","shape":[6],"data_offsets":[0,24],"x":1)", "unknown key 'x'"},
        {R"("dtype":"F32","shape":[6],"data_offsets":[0])", "data_offsets must be [begin, end]"},
        {R"("dtype":"F32","shape":[6],"data_offsets":[0,24,25])", "data_offsets must be [begin, end]"},
        {R"("dtype":"F32","shape":[6],"data_offsets":[24,0])", "data_offsets must be [begin, end]"},
        {R"("dtype":"F32","shape":[5],"data_offsets":[0,24])", "do not match the shape"},
        {R"("dtype":"F64","shape":[6],"data_offsets":[0,24])", "more bytes than the file"},
        {R"("dtype":"F32","shape":[6],"data_offsets":[8,32])", "reaches past the end"}})
    EXPECT_TRUE(contains(refusal_of_entry(entry), says)) << entry;
}

TEST(Safetensors, DoesNotOverflowOnHugeShapes) {
  for (const char* shape : {"[9223372036854775807]", "[4294967296,4294967296]", "[4611686018427387904,4]",
                            "[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]"}) {
    EXPECT_TRUE(contains(refusal_of_entry(R"("dtype":"F32","data_offsets":[0,0],"shape":)" + std::string(shape)),
                         "more bytes than the file"))
        << shape;
  }
  EXPECT_TRUE(contains(
      refusal_of_entry(R"("dtype":"F32","shape":[0],"data_offsets":[9223372036854775807,9223372036854775807])"),
      "reaches past the end"));
}

TEST(Safetensors, SaysThatTheFileIsNone) {
  const Scratch scratch;
  EXPECT_TRUE(contains(usage_error_of([&] { (void)read_safetensors_header(scratch / "none"); }), ": no such file"));
}

TEST(Safetensors, NamesWhatElseAFileIs) {
  const tests::Scratch scratch;
  const auto refusal = [&](const std::string& bytes) {
    return usage_error_of([&] { (void)read_safetensors_header(scratch.write("w.safetensors", bytes)); });
  };
  EXPECT_TRUE(contains(refusal("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"),
                       "w.safetensors: a pointer of Git LFS, not the file itself; run git lfs pull"));
  EXPECT_TRUE(contains(refusal(R"({"metadata": {"total_size": 8}, "weight_map": {}})"), "the index of weights"));
  EXPECT_TRUE(contains(refusal("{\n \"weight_map\": {}}"), "the index of weights"));
  EXPECT_TRUE(contains(refusal("PK\x03\x04"
                               "a/data.pkl"),
                       "safetensors.torch.save_file"));
  EXPECT_TRUE(contains(refusal("\x80\x02}q"), "safetensors.torch.save_file"));
  EXPECT_TRUE(contains(refusal("GGUF\x03"), "a GGUF file"));
  EXPECT_TRUE(contains(usage_error_of([&] { (void)read_safetensors_header(scratch.root()); }),
                       "is a folder, not a file; name the .safetensors file in it"));
  EXPECT_TRUE(contains(refusal("{"), "not a safetensors file"));
  EXPECT_TRUE(contains(refusal(""), "not a safetensors file"));
}

}  // namespace
}  // namespace mpsbench::base
