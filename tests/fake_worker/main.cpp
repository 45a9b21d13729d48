// A worker without LibTorch that plays a script: see script.hpp.
#include "base/system_files.hpp"
#include "fake_worker/planted.hpp"
#include "fake_worker/script.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

#ifdef __linux__
#include <sched.h>
#include <sys/prctl.h>
#endif

namespace mpsbench::fake_worker {
namespace {

using nlohmann::json;

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void say(const schema::Event& event) {
  write_all(schema::kEventDescriptor, schema::to_line(event) + '\n');
}

const schema::CaseSpec& spec_of(const Script& script) {
  return std::get<schema::LaunchRequest>(script.request.value()).spec;
}

void hello(const json& argument) {
  const std::string line = schema::to_line(schema::HelloEvent{.libtorch = planted_libtorch()});
  json changed = json::parse(line);
  if (argument.contains("protocol")) changed["protocol"] = argument.at("protocol");
  if (argument.contains("libtorch")) changed["libtorch"]["version"] = argument.at("libtorch");
  write_all(schema::kEventDescriptor, changed.dump() + '\n');
}

void result(const Script& script, const json& argument) {
  schema::Launch launch = planted_launch(spec_of(script), argument);
  if (argument.contains("status")) {
    launch.status = schema::read_name<schema::Status>(base::Reader(argument.at("status"), "script"));
    launch.failure = schema::Failure{"scripted", "as the script says", ""};
  }
  say(schema::ResultEvent{launch});
}

void part(const Script& script, json argument) {
  argument.emplace("samples", 0);
  schema::PartEvent event{planted_launch(spec_of(script), argument)};
  const std::int64_t rows = spec_of(script).rows;
  const std::int64_t steps = schema::steps_per_epoch(spec_of(script));
  for (std::int64_t left = argument.value("epochs", std::int64_t{0}); left > 0; --left)
    event.launch.epochs.push_back({1, steps, rows});
  say(event);
}

void normal(const Script& script, const json& argument) {
  hello({});
  using schema::Phase;
  for (const Phase phase : {Phase::device, Phase::model, Phase::data, Phase::warmup, Phase::measure})
    say(schema::PhaseEvent{phase});
  say(schema::ProgressEvent{10, planted_launch(spec_of(script), argument).samples_seconds.at(0), 0.02, 1.0});
  result(script, argument);
}

void failure(const json& argument) {
  schema::FailureEvent event;
  event.status = schema::read_name<schema::Status>(base::Reader(argument.at("status"), "script"));
  event.failure = {argument.at("kind"), argument.at("message"), argument.value("detail", "")};
  say(event);
}

void fits(const Script& script, const json& most) {
  if (spec_of(script).batch_size <= most.get<std::int64_t>()) return normal(script, json::object());
  hello({});
  failure({{"status", "oom"}, {"kind", "oom"}, {"message", "out of memory"}});
}

void probe(const Script& script, const json& argument) {
  schema::ProbeEvent event = planted_probe(argument.value("gpus", std::int64_t{0}));
  if (argument.contains("version")) event.tool->version = argument.at("version");
  if (argument.contains("git_commit")) event.tool->git_commit = argument.at("git_commit");
  event.threads.count = std::get<schema::ProbeRequest>(script.request.value()).threads;
  if (argument.contains("threads")) event.threads = planted_threads(argument.at("threads"));
  hello({});
  say(event);
}

void flood(const json& argument) {
  const std::map<std::string, int> streams{
      {"stdout", STDOUT_FILENO}, {"stderr", STDERR_FILENO}, {"events", schema::kEventDescriptor}};
  const int fd = streams.at(argument.at("stream"));
  const std::string text = argument.at("text");
  for (std::int64_t left = argument.at("count"); left > 0; --left) write_all(fd, text);
}

void send_signal(const std::string& name) {
  const std::map<std::string, int> signals{
      {"ABRT", SIGABRT}, {"SEGV", SIGSEGV}, {"KILL", SIGKILL}, {"STOP", SIGSTOP}, {"TERM", SIGTERM}};
  ::signal(signals.at(name), SIG_DFL);  // because sanitizers turn some signals into an exit code
  ::raise(signals.at(name));
}

void pause(double seconds) {
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::usleep(static_cast<useconds_t>(seconds * 1e6));
    ::kill(self, SIGCONT);
    ::_exit(0);
  }
  ::raise(SIGSTOP);
}

[[noreturn]] void hang() {
  for (;;) ::pause();
}

// Returns the numbers of the open descriptors, each followed by a blank.
std::string open_descriptors() {
  std::string list;
  for (int fd = 0; fd < 256; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) list += std::to_string(fd) + ' ';
  }
  return list;
}

// Only on Linux.
std::string usable_cpus() {
  std::vector<int> cpus;
#ifdef __linux__
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) throw std::runtime_error("sched_getaffinity");
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
#endif
  return base::format_cpu_list(cpus);
}

void write_file(const json& argument) {
  std::string text = argument.at("text");
  if (text == "$pid") text = std::to_string(::getpid());
  if (text == "$descriptors") text = open_descriptors();
  if (text == "$cpus") text = usable_cpus();
  const std::string path = argument.at("path");
  const std::string draft = path + ".tmp";  // so that a test never reads an incomplete file
  std::ofstream file(draft);
  file << text << std::flush;
  if (!file || std::rename(draft.c_str(), path.c_str()) != 0) throw std::runtime_error("cannot write " + path);
}

void grandchild(const json& argument) {
  if (::fork() != 0) return;
  ::signal(SIGTERM, SIG_IGN);
  if (argument.contains("pid_file")) {
    ::setpgid(0, 0);
    write_file({{"path", argument.at("pid_file")}, {"text", "$pid"}});
  }
  hang();
}

void allocate(std::size_t bytes) {
  auto* memory = static_cast<char*>(std::malloc(bytes));  // not freed until the process ends
  if (memory == nullptr) throw std::bad_alloc();
  constexpr std::size_t kPage = 4096;
  for (std::size_t i = 0; i < bytes; i += kPage) static_cast<volatile char*>(memory)[i] = 1;
}

void play_one(const Script& script, const std::string& name, const json& argument) {
  if (name == "normal") return normal(script, argument);
  if (name == "hello") return hello(argument);
  if (name == "phase")
    return say(schema::PhaseEvent{schema::read_name<schema::Phase>(base::Reader(argument, "script"))});
  if (name == "gpu") return say(schema::GpuEvent{argument});
  if (name == "progress") return say(schema::ProgressEvent{argument, 0.1, std::nullopt, std::nullopt});
  if (name == "part") return part(script, argument);
  if (name == "result") return result(script, argument);
  if (name == "failure") return failure(argument);
  if (name == "fits") return fits(script, argument);
  if (name == "probe") return probe(script, argument);
  if (name == "line") return write_all(schema::kEventDescriptor, argument.get<std::string>() + '\n');
  if (name == "raw") return write_all(schema::kEventDescriptor, argument.get<std::string>());
  if (name == "flood") return flood(argument);
  if (name == "sleep") return std::this_thread::sleep_for(std::chrono::duration<double>(argument.get<double>()));
  if (name == "signal") return send_signal(argument);
  if (name == "pause") return pause(argument.get<double>());
  if (name == "exit") ::_exit(argument.get<int>());
  if (name == "hang") hang();
  if (name == "ignore_term") return void(::signal(SIGTERM, SIG_IGN));
  if (name == "grandchild") return grandchild(argument);
  if (name == "close_events") return void(::close(schema::kEventDescriptor));
  if (name == "write_file") return write_file(argument);
  if (name == "allocate") return allocate(argument.get<std::size_t>());
  throw std::runtime_error("unknown action \"" + name + '"');
}

// Like the real worker, ends when its front ends.
void die_with(const schema::Request& request) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto front = std::visit([](const auto& one) { return one.front_pid; }, request);
  if (::getppid() != front) ::_exit(1);
#else
  static_cast<void>(request);
#endif
}

// Some actions end or hang the process.
void play(const Script& script) {
  for (const json& action : script.actions) {
    if (action.is_string()) {
      play_one(script, action, json::object());
    } else {
      const auto entry = action.begin();
      play_one(script, entry.key(), entry.value());
    }
  }
}

}  // namespace
}  // namespace mpsbench::fake_worker

int main() {
  try {
    using namespace mpsbench::fake_worker;
    const Script script = read_script();
    if (script.request) die_with(*script.request);
    play(script);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fake worker: %s\n", error.what());
    return 99;
  }
}
