"""Fronts of one run that torchrun and mpirun start, that are on two hosts, or that do not agree."""

import json
import os
import platform
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import unittest
from pathlib import Path

import wanted
from fronts import STEPS, WithFronts
from real_worker import WORKER
from support import MPSBENCH

TORCHRUN = Path(sys.executable).with_name("torchrun")


class Launchers(WithFronts):
    """At the end of each launch, the workers compare the weights of all ranks themselves."""

    def launch(self, *command):
        done = self.call(*command[1:], "run", *STEPS, "--export-json", "out.json", executable=command[0])
        self.assertEqual(done.code, 0, done)
        self.assertEqual(done.out.count("mlp trains"), 1, done)

    @wanted.program("mpirun")
    def test_mpirun(self):
        self.env |= {"MASTER_PORT": str(self.port)}
        self.launch(*self.mpirun(3), MPSBENCH)
        self.expect_good(3)

    @wanted.program("mpirun")
    def test_what_concerns_the_machine_is_done_once(self):
        program, *options = self.mpirun(2)
        done = self.call(*options, MPSBENCH, "doctor", "-f", "json", executable=program)
        self.assertTrue(json.loads(done.out), done)
        done = self.call(*options, MPSBENCH, "ops", "--device", "cpu", "--benchmark_list_tests", executable=program)
        names = done.out.splitlines()
        self.assertTrue(names, done)
        self.assertEqual(len(names), len(set(names)), done)

    @wanted.program("mpirun")
    def test_rank_0_speaks_before_mpirun_kills_it(self):
        """mpirun kills all processes as soon as one has ended with an error."""
        self.expect(0, "run", *STEPS, "--export-json", "out.json")
        program, *options = self.mpirun(2)
        done = self.call(*options, MPSBENCH, "run", "--resume", "out.json", executable=program)
        self.assertEqual(done.code, 2, done)
        self.assertIn("out.json was started without a launcher, but now runs under mpirun with 2 processes", done.err)

    def mpirun(self, ranks):
        return shutil.which("mpirun"), "--oversubscribe", "--allow-run-as-root", "-n", ranks

    def torchrun(self, ranks):
        return TORCHRUN, "--nproc-per-node", ranks, "--master-port", self.port, "--no-python"

    @wanted.program("torchrun", TORCHRUN)
    def test_torchrun(self):
        self.launch(*self.torchrun(3), MPSBENCH)
        self.expect_good(3)

    @wanted.program("torchrun", TORCHRUN)
    def test_two_runs_of_one_torchrun(self):
        run = shlex.join(map(str, (MPSBENCH, "run", *STEPS)))
        script = f"{run} --export-json out.json && {run} --export-json again.json"
        done = self.call(*self.torchrun(2)[1:], "sh", "-c", script, executable=TORCHRUN)
        self.assertEqual(done.code, 0, done)
        self.expect_good(2)
        self.expect_good(2, "again.json")

    @wanted.program("torchrun", TORCHRUN)
    def test_a_run_after_one_that_failed_to_meet(self):
        """Rank 1 came to the first run, which rank 0 never did."""
        run = shlex.join(map(str, (MPSBENCH, "run", *STEPS)))
        first = f"if [ $RANK = 1 ]; then {run} --rendezvous-timeout 1s; touch failed; fi"
        script = f"{first}; while [ ! -e failed ]; do sleep 0.1; done; {run} --export-json out.json"
        done = self.call(*self.torchrun(2)[1:], "sh", "-c", script, executable=TORCHRUN)
        self.assertEqual(done.code, 0, done)
        self.assertIn("rank 1 cannot reach rank 0", done.err)
        self.expect_good(2)


class Resumes(WithFronts):
    """A case must not mix launches of other processes."""

    def test_under_another_launcher(self):
        self.finish_all(self.start_ranks(2, *STEPS, "--export-json", "out.json"))
        self.assertEqual(self.report()["run"]["launcher"], {"name": "torchrun", "ranks": 2, "hosts": 1})
        before = "out.json was started under torchrun with 2 processes on 1 machine, but now runs "
        self.expect_refused("run", "--resume", "out.json", says=(before + "without a launcher",))
        first, *others = self.finish_all(self.start_ranks(3, "--resume", "out.json"), code=2)
        self.assertIn(before + "under torchrun with 3 processes on 1 machine; start it as before", first.err)
        self.assertEqual([one.err for one in others], ["", ""])
        self.finish_all(self.start_ranks(2, "--resume", "out.json"))

    def test_a_run_without_a_launcher(self):
        self.expect(0, "run", *STEPS, "--export-json", "out.json")
        first, _ = self.finish_all(self.start_ranks(2, "--resume", "out.json"), 2)
        self.assertIn("out.json was started without a launcher, but now runs under torchrun", first.err)


class Agree(WithFronts):
    def test_smaller_groups(self):
        fronts = self.start_ranks(3, *STEPS, "--ranks", "1,2,3", "--export-json", "out.json")
        done = self.finish_all(fronts)
        self.assertEqual([one.out for one in done[1:]], ["", ""])
        cases = {case["spec"]["ranks"]: case for case in self.report()["cases"]}
        self.assertEqual({ranks: case["status"] for ranks, case in cases.items()}, {1: "ok", 2: "ok", 3: "ok"})
        self.assertEqual([len(cases[ranks]["launches"][0].get("ranks", [])) for ranks in (1, 2, 3)], [0, 2, 3])

    def test_too_many_ranks(self):
        fronts = self.start_ranks(2, *STEPS, "--ranks", "1,2,4", "--export-json", "out.json")
        self.expect_refusal(fronts, "--ranks: 4 are more than the 2 processes that torchrun has started")

    def test_another_world_size(self):
        fronts = [self.start_rank(rank, 2 + rank, *STEPS) for rank in range(2)]
        self.expect_refusal(fronts, "rank 1 (on ", ") has a world size of 3, but rank 0 has 2")

    def test_another_plan(self):
        fronts = [self.start_rank(rank, 2, *STEPS, "--timeout", f"{300 + rank}s") for rank in range(2)]
        says = (") has timeout_seconds 301.0 for mlp/train/cpu/b8/", "but rank 0 has 300.0")
        self.expect_refusal(fronts, "rank 1 (on ", *says)

    @unittest.skipUnless(platform.machine() == "x86_64", "these instructions are of x86-64")
    def test_other_code_paths(self):
        """The vector instructions that ATEN_CPU_CAPABILITY switches off round differently."""
        options = (*STEPS, "--optimizer", "adam", "--export-json", "out.json")
        fronts = [self.start_rank(0, 2, *options), self.start_rank(1, 2, *options, ATEN_CPU_CAPABILITY="default")]
        self.finish_all(fronts, code=5)
        (case,) = self.report()["cases"]
        self.assertEqual(case["failure"]["kind"], "weights_differ", case)

    def test_another_case(self):
        fronts = [self.start_rank(0, 2, *STEPS), self.start_rank(1, 2, *STEPS, "-b", "16")]
        says = ") plans 2 cases, but rank 0 plans 1 case, without mlp/train/cpu/b16/"
        self.expect_refusal(fronts, "rank 1 (on ", says)

    def test_another_build(self):
        """A copy of the program with another version."""
        version = self.expect(0, "--version").out.split()[1].encode()
        copy = self.folder / "copy/bin/mpsbench"
        copy.parent.mkdir(parents=True)
        copy.write_bytes(MPSBENCH.read_bytes().replace(version, version[:-1] + b"9"))
        copy.chmod(0o755)
        (self.folder / "copy/share").symlink_to(MPSBENCH.parents[1] / "share")
        other = self.start_rank(1, 2, *STEPS, program=copy, MPSBENCH_WORKER=WORKER)
        self.expect_refusal([self.start_rank(0, 2, *STEPS), other], "rank 1 (on ", ") has mpsbench ", "but rank 0 has")

    def test_a_port_that_is_taken(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", self.port))
            other.listen()
            self.expect_refusal([self.start_rank(0, 2, *STEPS)], f"port {self.port} of this machine is taken")

    def test_addresses(self):
        other = self.start_rank(0, 2, *STEPS, MASTER_ADDR="192.0.2.1")
        self.expect_refusal([other], "rank 0 cannot listen on 192.0.2.1:", "set MASTER_ADDR")
        nowhere = self.start_rank(0, 2, *STEPS, MASTER_ADDR="no.such.host.invalid")
        self.expect_refusal([nowhere], "the host 'no.such.host.invalid' is unknown", "set MASTER_ADDR")
        far = self.start_rank(0, 2, *STEPS, LOCAL_WORLD_SIZE=1, MASTER_ADDR="")
        self.expect_refusal([far], "MASTER_ADDR: torchrun started 2 ranks on several machines")


def network_of_two_hosts(test):
    """Makes two network namespaces that only a cable connects, and returns their names and addresses."""
    if sys.platform != "linux" or not shutil.which("ip"):
        test.skipTest("network namespaces need Linux and ip")
    names = [f"mpsbench-{os.getpid()}-{number}" for number in range(2)]
    addresses = ["10.213.77.1", "10.213.77.2"]
    for name in names:
        done = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            test.skipTest(f"cannot make a network namespace: {done.stderr.strip()}")
        test.addCleanup(subprocess.run, ["ip", "netns", "del", name], check=True)
    cable = f"ip link add plug netns {names[0]} type veth peer name plug netns {names[1]}"
    subprocess.run(cable.split(), check=True)
    for name, address in zip(names, addresses, strict=True):
        for words in (f"addr add {address}/24 dev plug", "link set plug up", "link set lo up"):
            subprocess.run(["ip", "-n", name, *words.split()], check=True)
    return list(zip(names, addresses, strict=True))


class TwoHosts(WithFronts):
    def start_hosts(self, hosts, *arguments, **variables):
        """Starts one front on each host. The first has rank 0."""
        place = {"LOCAL_RANK": 0, "LOCAL_WORLD_SIZE": 1, "MASTER_ADDR": hosts[0][1]} | variables
        place["program"] = shutil.which("nsenter")
        return [
            self.start_rank(rank, len(hosts), *arguments, before=(f"--net=/run/netns/{name}", MPSBENCH), **place)
            for rank, (name, _) in enumerate(hosts)
        ]

    @wanted.program("nsenter")
    def test_two_hosts(self):
        hosts = network_of_two_hosts(self)
        self.finish_all(self.start_hosts(hosts, *STEPS, "--export-json", "out.json"))
        self.expect_good(2)
        self.assertEqual(self.report()["run"]["launcher"], {"name": "torchrun", "ranks": 2, "hosts": 2})

    @wanted.program("nsenter")
    def test_an_address_that_is_not_rank_zeros(self):
        hosts = network_of_two_hosts(self)
        first, second = self.start_hosts(hosts, *STEPS, MASTER_ADDR=hosts[1][1])
        self.expect_refusal([first], f"rank 0 cannot listen on {hosts[1][1]}:")
        self.interrupt(second, signal.SIGTERM)
