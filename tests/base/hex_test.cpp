#include "base/hex.hpp"

#include <gtest/gtest.h>

namespace mpsbench::base {

namespace {

// The examples of FIPS 180-4, the long one of NIST, and lengths for which the padding just fits, just does not fit, and
// for which a block is full (by Python's hashlib).
TEST(Sha256, AgreesWithThePublishedVectors) {
  const auto repeated = [](std::size_t count) { return std::string(count, 'a'); };
  for (const auto& [text, hash] :
       {std::pair{std::string(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {repeated(1'000'000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
        {repeated(55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        {repeated(56), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        {repeated(63), "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
        {repeated(64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
        {repeated(119), "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
        {repeated(120), "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"}})
    EXPECT_EQ(sha256_hex(text), hash) << text.size();
}

TEST(Sha256, TakesEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(sha256_hex(bytes), "40aff2e9d2d8922e47afd4648e6967497158785fbd1da870e7110266bf944880");
}

TEST(RandomHex, HasItsLengthAndIsNeverTheSame) {
  EXPECT_EQ(random_hex(0), "");
  const std::string text = random_hex(12);
  EXPECT_EQ(text.size(), 12U);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos) << text;
  EXPECT_NE(text, random_hex(12));
}

}  // namespace

}  // namespace mpsbench::base
