# The formula of a Homebrew tap. It has not been run yet: docs/releasing.md says what was checked, and how a release fills
# in homepage, url and sha256.
class Mpsbench < Formula
  desc "Benchmark of deep-learning training and inference"
  homepage "https://example.org/mpsbench"
  url "https://example.org/mpsbench-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "boost" => :build
  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "spdlog" => :build
  depends_on "fmt"
  depends_on "google-benchmark"
  depends_on "pytorch"
  depends_on "utf8proc"

  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DMPSBENCH_TESTS=OFF", "-DMPSBENCH_UNITY=ON",
                    "-DMPSBENCH_WERROR=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build", "--component", "Unspecified" # without the C++ library
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/mpsbench --version")
    assert_match "resnet50", shell_output("#{bin}/mpsbench list models")
  end
end
