#include "base/resources.hpp"
#include "base/version.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <array>
#include <string>
#include <vector>

namespace mpsbench::base {
namespace {

using tests::contains;
using tests::ScopedVariable;
using tests::Scratch;
using tests::usage_error_of;

#ifdef __APPLE__
constexpr const char* kLibraries = "DYLD_LIBRARY_PATH";
#else
constexpr const char* kLibraries = "LD_LIBRARY_PATH";
#endif
constexpr const char* kPackages = "lib/python3.12/site-packages/";

class InstalledPackage : public testing::Test {
 protected:
  // Writes PATH inside the environment's folder of packages.
  [[nodiscard]] std::filesystem::path write(const std::string& path, const std::string& text) const {
    return scratch_.write(kPackages + path, text);
  }
  // Writes what pip installs for PyTorch: version.py as it is in PyTorch 2.13.
  static std::string version_py(const std::string& version, const std::string& cuda) {
    return "from typing import Optional\n\n__all__ = ['__version__', 'debug', 'cuda', 'git_version']\n" +
           ("__version__ = '" + version + "'\ndebug = False\ncuda: Optional[str] = ") + cuda +
           "\ngit_version = '0a1b'\nhip: Optional[str] = None\n";
  }
  void write_torch(const std::string& version, const std::string& cuda) const {
    (void)write("torch/version.py", version_py(version, cuda));
  }
  // Writes a package of mpsbench with programs for these builds of PyTorch.
  void write_package(const std::string& torch, const std::vector<std::string>& builds) const {
    (void)write("mpsbench/torch_version", torch + "\n");
    (void)write("mpsbench/version", std::string(kVersion) + "\n");
    for (const std::string& build : builds) (void)write("mpsbench/bin/" + build + "/mpsbench-worker", "");
  }
  [[nodiscard]] std::optional<base::PythonPackage> found() const { return python_package(scratch_ / "bin/mpsbench"); }
  [[nodiscard]] std::string refused() const {
    return usage_error_of([&] { (void)package_programs(found().value()); });
  }
  // Makes a Python for the environment that says that torch is in FOLDER. Its start-up code prints a word.
  void write_python(const std::filesystem::path& folder) const {
    const auto python =
        scratch_.write("bin/python3.12", "#!/bin/sh\necho welcome\necho '" + folder.string() + "/__init__.py'\n");
    std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  }

  Scratch scratch_;
};

TEST_F(InstalledPackage, IsInTheProgramsEnvironment) {
  EXPECT_FALSE(found());
  write_package("2.13", {"cpu"});
  ASSERT_TRUE(found());
  EXPECT_EQ(found()->folder, scratch_ / (std::string(kPackages) + "mpsbench"));
  EXPECT_EQ(found()->torch_needed, "2.13");
  EXPECT_EQ(found()->version, kVersion);
}

TEST_F(InstalledPackage, OfSeveralPythonsIsThatOfThisVersion) {
  for (const std::string python : {"python3.9", "python3.13", "python3.10"}) {
    const std::string package = "lib/" + python + "/site-packages/mpsbench/";
    (void)scratch_.write(package + "torch_version", "2.12\n");
    (void)scratch_.write(package + "version", "0.0.1\n");
  }
  EXPECT_EQ(found()->version, "0.0.1");
  write_package("2.13", {"cpu"});
  EXPECT_EQ(found()->folder, scratch_ / (std::string(kPackages) + "mpsbench"));
}

TEST_F(InstalledPackage, OfAnotherToolIsNotTaken) {
  (void)write("mpsbench/__init__.py", "");
  EXPECT_FALSE(found());
}

TEST_F(InstalledPackage, RunsTheProgramsForTheInstalledBuildOrTheCpu) {
  write_package("2.13", {"cpu", "cuda13"});
  for (const auto& [version, cuda, build, folder] : {std::array{"2.13.0+cpu", "None", "cpu", "cpu"},
                                                     {"2.13.0", "'13.0'", "cuda13", "cuda13"},
                                                     {"2.13.1+cu126", "'12.6'", "cuda12", "cpu"}}) {
    write_torch(version, cuda);
    const PackagePrograms programs = package_programs(found().value());
    EXPECT_EQ(programs.torch_version, version);
    EXPECT_EQ(programs.torch_build, build);
    EXPECT_EQ(programs.folder.filename(), folder);
  }
}

TEST_F(InstalledPackage, OnlyForCudaRefusesAnotherBuild) {
  write_package("2.13", {"cuda13"});
  write_torch("2.13.0+cpu", "None");
  EXPECT_TRUE(contains(refused(), "was built for another build of PyTorch than ")) << refused();
}

TEST_F(InstalledPackage, SaysWhichTorchItNeeds) {
  const ScopedVariable path("PATH", "/nowhere");  // without a Python that could have PyTorch
  write_package("2.1", {"cpu"});
  EXPECT_EQ(refused(), "this mpsbench needs PyTorch 2.1, which is not in the environment of " +
                           found()->folder.string() + "; install it: pip install 'torch==2.1.*'");
  write_torch("2.13.0+cpu", "None");
  EXPECT_EQ(refused(), "this mpsbench was built for PyTorch 2.1, but " +
                           (found()->folder.parent_path() / "torch").string() +
                           " is 2.13.0+cpu; install it: pip install 'torch==2.1.*', or install the mpsbench "
                           "that was built for your version");
}

TEST_F(InstalledPackage, FindsTorchWhereItsPythonDoes) {
  const Scratch system;
  (void)system.write("torch/version.py", version_py("2.13.0", "'13.0'"));
  (void)system.write("nvidia/cu13/lib/libcudart.so.13", "");
  write_package("2.13", {"cpu", "cuda13"});
  write_python(system / "torch");
  const PackagePrograms programs = package_programs(found().value());
  EXPECT_EQ(programs.torch, system / "torch");
  EXPECT_EQ(programs.folder.filename(), "cuda13");
  const ScopedVariable libraries(kLibraries, "/mine");
  const std::string packages = system.root().string();
  EXPECT_EQ(library_variables(programs), std::vector<std::string>{std::string(kLibraries) + "=" + packages +
                                                                  "/torch/lib:" + packages + "/nvidia/cu13/lib:/mine"});
}

TEST_F(InstalledPackage, BesideTorchNeedsNoVariable) {
  write_package("2.13", {"cpu"});
  write_torch("2.13.0+cpu", "None");
  EXPECT_TRUE(library_variables(package_programs(found().value())).empty());
}

}  // namespace
}  // namespace mpsbench::base
