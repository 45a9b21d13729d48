#include "supervise/spawn.hpp"

#include "base/cpu_list.hpp"
#include "base/environment.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "schema/messages.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#ifdef __APPLE__
#include <sys/event.h>
#else
#include <sched.h>
#include <sys/syscall.h>
#endif

namespace mpsbench::supervise {
namespace {

void require(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

bool names_alike(std::string_view a, std::string_view b) {
  return a.substr(0, a.find('=')) == b.substr(0, b.find('='));
}

// Returns ADDED and those of our variables whose names are not in ADDED.
std::vector<std::string> environment_with(const std::vector<std::string>& added) {
  std::vector<std::string> all = added;
  for (char** ours = base::environment(); *ours != nullptr; ++ours) {
    if (std::none_of(added.begin(), added.end(), [&](const std::string& one) { return names_alike(one, *ours); }))
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

// Waits until the process has ended, but leaves it to be reaped.
void wait_for_end(pid_t pid) {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
}

// Returns a descriptor that becomes readable when the process has ended. WAITER gets the thread that this
// needs, if any.
#ifdef __APPLE__
Descriptor watch_exit(pid_t pid, std::thread& /*waiter*/) {
  Descriptor queue(::kqueue());
  if (queue.get() < 0) fail_to_open(errno, "kqueue");
  struct kevent change{};
  EV_SET(&change, static_cast<uintptr_t>(pid), EVFILT_PROC, EV_ADD | EV_ONESHOT, NOTE_EXIT, 0, nullptr);
  if (::kevent(queue.get(), &change, 1, nullptr, 0, nullptr) == 0) return queue;
  if (errno != ESRCH) throw std::system_error(errno, std::generic_category(), "kevent");
  return make_pipe().read;  // it has already ended; poll() reports this end of file immediately
}
#else
Descriptor watch_exit(pid_t pid, std::thread& waiter) {
  Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (process.get() >= 0) return process;
  if (errno == EMFILE) fail_to_open(errno, "pidfd_open");
  // Linux before 5.3 does not have it, and some sandboxes refuse it.
  base::log::detail("pidfd_open: " + std::generic_category().message(errno) +
                    "; a thread waits for the end of the worker instead");
  Pipe pipe = make_pipe();
  waiter = std::thread([pid, open = std::move(pipe.write)] { wait_for_end(pid); });
  return std::move(pipe.read);
}
#endif

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

}  // namespace

Child::Child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
             const std::vector<std::string>& environment, const std::vector<int>& cpus, int listener) {
  Pipe request_pipe = make_pipe();
  Pipe output_pipe = make_pipe();
  Pipe events_pipe = make_pipe();
  SpawnArguments spawn;
  for (const auto& [from, to] :
       {std::pair{request_pipe.read.get(), STDIN_FILENO}, std::pair{output_pipe.write.get(), STDOUT_FILENO},
        std::pair{output_pipe.write.get(), STDERR_FILENO},
        std::pair{events_pipe.write.get(), schema::kEventDescriptor}}) {
    require(posix_spawn_file_actions_adddup2(&spawn.files, from, to), "dup2");
  }
  if (listener >= 0)
    require(posix_spawn_file_actions_adddup2(&spawn.files, listener, schema::kGroupDescriptor), "dup2");
  isolate(spawn, listener >= 0 ? schema::kGroupDescriptor : schema::kEventDescriptor);
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> added = base::variables_for(program);
  added.insert(added.end(), environment.begin(), environment.end());
  std::vector<std::string> variables = environment_with(added);
  const BoundThread bound(cpus);
  const int error = posix_spawn(&pid_, words[0].c_str(), &spawn.files, &spawn.attributes, pointers(words).data(),
                                pointers(variables).data());
  if (error != 0) throw std::system_error(std::error_code(error, std::generic_category()));
  request = std::move(request_pipe.write);
  output = std::move(output_pipe.read);
  events = std::move(events_pipe.read);
  for (const int fd : {request.get(), output.get(), events.get()}) set_nonblocking(fd);
  try {
    exit_ = watch_exit(pid_, waiter_);
  } catch (...) {
    signal_group(SIGKILL);
    reap();
    throw;
  }
}

Child::~Child() {
  if (pid_ < 0) return;
  signal_group(SIGKILL);
  reap();
}

bool Child::follow_stops() {
  bool was_stopped = is_stopped_;
  for (;;) {
    siginfo_t info{};
    const int failed = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WCONTINUED | WNOHANG);
    if (failed != 0 || info.si_pid != pid_) return was_stopped;
    is_stopped_ = info.si_code == CLD_STOPPED;
    was_stopped = true;
  }
}

void Child::signal_group(int number) const {
  if (pid_ > 0) ::kill(-pid_, number);
}

ProcessUsage Child::reap() {
  // Kill the group before reaping its leader: until then the system cannot give the group's number to another
  // process.
  wait_for_end(pid_);
  signal_group(SIGKILL);
  if (waiter_.joinable()) waiter_.join();
  ProcessUsage usage;
  rusage used{};
  while (::wait4(pid_, &usage.wait_status, 0, &used) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  usage.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
#ifdef __APPLE__
  usage.peak_resident_bytes = used.ru_maxrss;
#else
  usage.peak_resident_bytes = used.ru_maxrss * 1024;
#endif
  return usage;
}

}  // namespace mpsbench::supervise
