"""Tests how scripts/mpsbench installs missing packages."""

from sandbox import SetupTest

ALL_ON_APT = (
    "g++ cmake ninja-build nlohmann-json3-dev libcli11-dev libfmt-dev libspdlog-dev libboost-dev libbenchmark-dev "
    "python3 python3-venv libutf8proc-dev"
)


class Apt(SetupTest):
    def test_missing_libraries_alone_are_installed(self):
        """So is what the build can do without."""
        self.write("missing", "spdlog\nBoost\nutf8proc")
        self.run_well("list")
        (call,) = self.calls("apt-get")
        self.assertTrue(call.endswith("--no-install-recommends libspdlog-dev libboost-dev libutf8proc-dev"), call)

    def test_bare_machine(self):
        self.remove("c++", "cmake", "ninja", "python3")
        self.write("missing", "nlohmann_json\nCLI11\nfmt\nspdlog\nBoost\nbenchmark\nutf8proc")
        self.write("no-ensurepip")
        self.write("lists-old")
        self.run_well("list")
        install, update, again = self.calls("apt-get")
        self.assertTrue(update.endswith("update"))
        self.assertEqual(install, again)
        self.assertTrue(install.endswith(ALL_ON_APT), install)

    def test_venv_module_is_wanted_only_for_an_environment(self):
        self.write("no-ensurepip")
        self.use_active_torch(self.make_torch("active"))
        self.run_well("list")
        self.assertEqual(self.calls("apt-get"), [])

    def test_old_cmake_is_missing(self):
        self.write("cmake-version", "3.21.9")
        self.run_badly()
        self.assertIn("cmake", self.calls("apt-get")[0].split())
        self.assertIn("still missing or too old", self.err)

    def test_packages_that_stay_too_old(self):
        self.write("missing", "nlohmann_json")
        self.write("packages-too-old")
        self.run_badly()
        self.assertIn("nlohmann_json", self.err.splitlines()[-1])

    def test_sudo_without_password(self):
        self.write("user")
        self.install("sudo")
        self.write("missing", "fmt")
        self.run_well("list")
        self.assertEqual(len(self.calls("apt-get")), 1)

    def test_no_permission_is_one_command(self):
        self.write("user")
        self.install("sudo")
        self.write("sudo-asks")
        self.write("missing", "fmt\nCLI11")
        self.write("no-ensurepip")
        self.run_badly()
        self.assertEqual(self.calls("apt-get"), [])
        command = "sudo sh -c 'apt-get update && apt-get install -y libfmt-dev libcli11-dev python3-venv'"
        self.assertEqual(self.err.splitlines()[-1], command)

    def test_no_permission_and_no_sudo(self):
        self.write("user")
        self.write("missing", "fmt")
        self.run_badly()
        self.assertEqual(self.err.splitlines()[-1], "su -c 'apt-get update && apt-get install -y libfmt-dev'")

    def test_the_build_goes_on_without_what_it_does_not_need(self):
        self.write("user")
        self.write("missing", "utf8proc")
        self.run_well("list")
        self.assertIn("su -c 'apt-get update && apt-get install -y libutf8proc-dev'", self.err)
        self.assertIn("mpsbench: continuing without utf8proc\n", self.err)

    def test_what_some_tests_want_is_installed_in_ci(self):
        shells = ("zsh", "fish", "groff", "mandoc")
        for ci, wanted in (("", ()), ("true", shells)):
            self.run_it("--quick", script="test", MPSBENCH_CI=ci)
            named = " ".join(self.calls("apt-get")).split()
            self.assertEqual(tuple(one for one in shells if one in named), wanted, self.err)

    def test_system_without_apt(self):
        self.remove("apt-get")
        self.write("missing", "fmt")
        self.run_badly()
        self.assertIn("fmt", self.err.splitlines()[-1])


class Homebrew(SetupTest):
    def setUp(self):
        super().setUp()
        self.be_a_mac()
        self.remove("apt-get")
        (self.tools / "nproc").unlink()
        (self.tools / "flock").unlink(missing_ok=True)
        self.write("index", "configured torch==2.13.0")

    def test_missing_packages_are_installed(self):
        self.install("brew")
        self.remove("ninja")
        self.write("missing", "nlohmann_json")
        self.run_well("list")
        command = "brew install ninja nlohmann-json cli11 fmt spdlog boost google-benchmark utf8proc"
        self.assertEqual(self.calls("brew"), [command])

    def test_without_homebrew_one_command(self):
        self.write("missing", "CLI11\nBoost")
        self.run_badly()
        self.assertEqual(self.err.splitlines()[-1], "brew install cli11 boost")

    def test_without_compiler_one_command(self):
        self.install("brew")
        (self.bin / "xcode-select").write_text("#!/usr/bin/env bash\nexit 2\n")
        self.run_badly()
        self.assertEqual(self.err.splitlines()[-1], "xcode-select --install")
