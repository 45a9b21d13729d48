#include "supervise/worker_process.hpp"

#include "base/clock.hpp"
#include "base/environment.hpp"
#include "base/resources.hpp"
#include "base/system_files.hpp"
#include "schema/messages.hpp"

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#ifndef __APPLE__
#include <sched.h>
#endif

namespace mpsbench::supervise {
namespace {

constexpr std::size_t kLongestLineBytes = 64U << 20U;
constexpr std::size_t kTailBytes = 8192;
// The longest time to read on after the worker's end. A process that left its group may keep the pipes open,
// and even write to them, forever.
constexpr double kDrainSeconds = 0.2;

void require(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

// Returns ADDED and those of our variables whose names are not in ADDED.
std::vector<std::string> environment_with(const std::vector<std::string>& added) {
  std::vector<std::string> all = added;
  for (char** ours = base::environment(); *ours != nullptr; ++ours) {
    const std::string name(*ours, std::strcspn(*ours, "=") + 1);
    if (std::ranges::none_of(added, [&](const std::string& one) { return one.starts_with(name); }))
      all.emplace_back(*ours);
  }
  return all;
}

// Returns the null-terminated list of pointers that the system needs. They point into WORDS.
std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

// Owns posix_spawn's two argument objects, which must be destroyed.
struct SpawnArguments {
  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};

  SpawnArguments() {
    require(posix_spawn_file_actions_init(&files), "posix_spawn_file_actions_init");
    require(posix_spawnattr_init(&attributes), "posix_spawnattr_init");
  }
  ~SpawnArguments() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnArguments(const SpawnArguments&) = delete;
  SpawnArguments& operator=(const SpawnArguments&) = delete;
};

// Gives the child a separate process group, default signal handlers, no blocked signals, and only the
// descriptors 0 to LAST.
void isolate(SpawnArguments& arguments, [[maybe_unused]] int last) {
  short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#ifdef __APPLE__
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#else
  require(posix_spawn_file_actions_addclosefrom_np(&arguments.files, last + 1), "closefrom");
#endif
  require(posix_spawnattr_setflags(&arguments.attributes, flags), "posix_spawnattr_setflags");
  require(posix_spawnattr_setpgroup(&arguments.attributes, 0), "posix_spawnattr_setpgroup");
  sigset_t signals;
  sigfillset(&signals);
  require(posix_spawnattr_setsigdefault(&arguments.attributes, &signals), "posix_spawnattr_setsigdefault");
  sigemptyset(&signals);
  require(posix_spawnattr_setsigmask(&arguments.attributes, &signals), "posix_spawnattr_setsigmask");
}

// While it lives, this thread, and what it starts, may use only CPUS. A child thus has its CPUs before its
// libraries count them. Does nothing if CPUS is empty.
#ifdef __APPLE__
class BoundThread {
 public:
  explicit BoundThread(const std::vector<int>& cpus) { require(cpus.empty() ? 0 : ENOTSUP, "affinity"); }
};
#else
class BoundThread {
 public:
  explicit BoundThread(const std::vector<int>& cpus) : is_bound_(!cpus.empty()) {
    if (!is_bound_) return;
    Sets chosen{};
    for (const int cpu : cpus) {
      const auto number = static_cast<std::size_t>(cpu);
      CPU_SET(number % CPU_SETSIZE, &chosen.at(number / CPU_SETSIZE));
    }
    require(::sched_getaffinity(0, sizeof(before_), before_.data()) == 0 ? 0 : errno, "sched_getaffinity");
    require(::sched_setaffinity(0, sizeof(chosen), chosen.data()) == 0 ? 0 : errno, "sched_setaffinity");
  }
  ~BoundThread() {
    if (is_bound_) static_cast<void>(::sched_setaffinity(0, sizeof(before_), before_.data()));
  }
  BoundThread(const BoundThread&) = delete;
  BoundThread& operator=(const BoundThread&) = delete;

 private:
  using Sets = std::array<cpu_set_t, base::kMostCpus / CPU_SETSIZE>;  // one has only 1,024 CPUs

  bool is_bound_;
  Sets before_{};
};
#endif

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Closes the descriptor at its end. Returns whether there was anything.
template <typename Use>
bool read_some(Descriptor& descriptor, Use use) {
  static std::array<char, 65536> buffer;
  const ssize_t count = ::read(descriptor.get(), buffer.data(), buffer.size());
  if (count > 0) use(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
  if (count > 0 || (count < 0 && errno == EINTR)) return true;
  if (count == 0 || errno != EAGAIN) descriptor.close();
  return false;
}

}  // namespace

WorkerProcess::WorkerProcess(const WorkerCommand& command, LineSink& sink)
    : request_(command.request_line + '\n'), sink_(sink) {
  (void)child_news();
  Pipe request_pipe = make_pipe();
  Pipe output_pipe = make_pipe();
  Pipe events_pipe = make_pipe();
  SpawnArguments spawn;
  std::vector<std::pair<int, int>> places{{request_pipe.read.get(), STDIN_FILENO},
                                          {output_pipe.write.get(), STDOUT_FILENO},
                                          {output_pipe.write.get(), STDERR_FILENO},
                                          {events_pipe.write.get(), schema::kEventDescriptor}};
  if (command.listener >= 0) places.emplace_back(command.listener, schema::kGroupDescriptor);
  for (const auto& [from, to] : places) require(posix_spawn_file_actions_adddup2(&spawn.files, from, to), "dup2");
  isolate(spawn, places.back().second);
  std::vector<std::string> words{command.program.string()};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> added = base::variables_for(command.program);
  added.insert(added.end(), command.environment.begin(), command.environment.end());
  std::vector<std::string> variables = environment_with(added);
  const BoundThread bound(command.cpus);
  const int error = posix_spawn(&pid_, words[0].c_str(), &spawn.files, &spawn.attributes, pointers(words).data(),
                                pointers(variables).data());
  if (error != 0) throw std::system_error(std::error_code(error, std::generic_category()));
  request_pipe_ = std::move(request_pipe.write);
  output_ = std::move(output_pipe.read);
  events_ = std::move(events_pipe.read);
  for (const int fd : {request_pipe_.get(), output_.get(), events_.get()}) set_nonblocking(fd);
}

WorkerProcess::~WorkerProcess() {
  if (pid_ < 0) return;
  signal_group(SIGKILL);
  reap();
}

bool WorkerProcess::has_ended() const {
  siginfo_t info{};
  const int failed = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return failed == 0 && info.si_pid == pid_;
}

bool WorkerProcess::follow_stops() {
  bool was_stopped = is_stopped_;
  for (;;) {
    siginfo_t info{};
    const int failed = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WCONTINUED | WNOHANG);
    if (failed != 0 || info.si_pid != pid_) return was_stopped;
    is_stopped_ = info.si_code == CLD_STOPPED;
    was_stopped = true;
  }
}

void WorkerProcess::signal_group(int number) const {
  if (pid_ > 0) ::kill(-pid_, number);
}

// Kills the group before reaping its leader: until then the system cannot give the group's number to another process.
void WorkerProcess::reap() {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  signal_group(SIGKILL);
  rusage used{};
  while (::wait4(pid_, &end_.wait_status, 0, &used) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  end_.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
#ifdef __APPLE__
  end_.peak_resident_bytes = used.ru_maxrss;
#else
  end_.peak_resident_bytes = used.ru_maxrss * 1024;
#endif
}

std::array<pollfd, WorkerProcess::kWatched> WorkerProcess::watched() const {
  const int unsent = sent_ == request_.size() ? -1 : request_pipe_.get();
  return {{{events_.get(), POLLIN, 0}, {output_.get(), POLLIN, 0}, {unsent, POLLOUT, 0}}};
}

void WorkerProcess::follow(std::span<const pollfd, kWatched> news) {
  if (news[0].revents != 0) read_events();
  if (news[1].revents != 0) read_output();
  if (news[2].revents != 0) send_request();
}

void WorkerProcess::send(const std::string& line) {
  if (sent_ == request_.size()) {
    request_.clear();
    sent_ = 0;
  }
  request_ += line + '\n';
  send_request();
}

void WorkerProcess::close_input() {
  closes_input_ = true;
  send_request();
}

void WorkerProcess::send_request() {
  const ssize_t count = ::write(request_pipe_.get(), request_.data() + sent_, request_.size() - sent_);
  if (count >= 0) {
    sent_ += static_cast<std::size_t>(count);
  } else if (errno != EAGAIN && errno != EINTR) {
    sent_ = request_.size();  // it no longer reads; how it ends shows why
  }
  if (closes_input_ && sent_ == request_.size()) request_pipe_.close();
}

bool WorkerProcess::read_events() {
  return read_some(events_, [this](std::string_view bytes) { take_events(bytes); });
}

bool WorkerProcess::read_output() {
  return read_some(output_, [this](std::string_view bytes) {
    end_.stderr_tail += bytes;
    if (end_.stderr_tail.size() > 2 * kTailBytes) trim_tail();
  });
}

void WorkerProcess::take_events(std::string_view bytes) {
  while (!is_refused_ && !bytes.empty()) {
    const std::size_t line_end = bytes.find('\n');
    line_ += bytes.substr(0, line_end);
    if (line_.size() > kLongestLineBytes) {
      sink_.on_line_too_long();
      refuse();
    }
    if (is_refused_ || line_end == std::string_view::npos) return;
    bytes.remove_prefix(line_end + 1);
    if (!sink_.on_line(line_)) refuse();
    line_.clear();
  }
}

void WorkerProcess::refuse() {
  is_refused_ = true;
  line_ = {};
  stop(Stop::refused);
}

void WorkerProcess::stop(Stop why) {
  if (end_.stop != Stop::none) return;
  end_.stop = why;
  end_.over_seconds = base::steady_seconds();
  signal_group(SIGTERM);
}

WorkerEnd WorkerProcess::finish() {
  reap();
  const double now = base::steady_seconds();
  if (end_.stop == Stop::none) end_.over_seconds = now;
  while (read_events() && base::steady_seconds() < now + kDrainSeconds) {
  }
  while (read_output() && base::steady_seconds() < now + kDrainSeconds) {
  }
  trim_tail();
  end_.half_line = !line_.empty();
  return std::move(end_);
}

void WorkerProcess::trim_tail() {
  if (end_.stderr_tail.size() > kTailBytes) end_.stderr_tail.erase(0, end_.stderr_tail.size() - kTailBytes);
}

}  // namespace mpsbench::supervise
