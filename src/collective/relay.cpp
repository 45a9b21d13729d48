#include "collective/relay.hpp"

#include "base/error.hpp"
#include "base/hex.hpp"

#include <c10/util/Exception.h>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace mpsbench::collective {
namespace {

using std::chrono::milliseconds;

// Nothing ends because of this one: fronts that are silent are lost much earlier.
constexpr milliseconds kLong = std::chrono::hours(240);
constexpr milliseconds kLookAgain{20};  // while the fronts meet
constexpr std::size_t kNameDigits = 16;
constexpr std::int64_t kKeptOrders = 1'000;  // as many as the beats of half an hour

constexpr const char* kHello = "mpsbench/hello";  // a queue: each other front says that it has come

// Of the calls of rank 0, the others' replies and the welcomes.
std::string key_of(const char* kind, const std::string& name) {
  return std::string("mpsbench/") + kind + "/" + name;
}

std::string order_key(const std::string& prefix, std::int64_t number) {
  return prefix + "/order/" + std::to_string(number);
}

std::string mail_key(const std::string& prefix) {
  return prefix + "/mail";
}

std::string meeting_place(const schema::GroupPlace& place) {
  return place.address + ":" + std::to_string(place.port);
}

milliseconds milliseconds_of(double seconds) {
  return milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

std::string cannot_reach(const schema::GroupPlace& place) {
  return "rank " + std::to_string(place.rank) + " cannot reach rank 0 at " + meeting_place(place) + " within " +
         std::to_string(static_cast<std::int64_t>(place.timeout_seconds)) +
         " s; if rank 0 has said nothing, check MASTER_ADDR, MASTER_PORT and the network";
}

std::string lost_while_meeting(const schema::GroupPlace& place) {
  return "rank " + std::to_string(place.rank) + " lost rank 0 at " + meeting_place(place) +
         " before all ranks had met: it has ended, or this port is another run's; start all ranks again, or "
         "set another MASTER_PORT";
}

}  // namespace

Relay::Relay(schema::RendezvousRequest request, std::function<bool()> front_lives, Tell tell, const Patience& patience)
    : request_(std::move(request)),
      front_lives_(std::move(front_lives)),
      tell_(std::move(tell)),
      patience_(patience),
      own_pause_(patience.silence / 2),
      meets_until_(Clock::now() + milliseconds_of(request_.place.timeout_seconds)),
      receiver_([this] { receive(); }) {}

void Relay::send(const std::string& text) {
  const std::lock_guard lock(mutex_);
  outbox_.push_back(text);
  changed_.notify_all();
}

void Relay::watch() {
  const Clock::time_point now = Clock::now();
  std::vector<std::int64_t> silent;
  bool is_late = false;
  {
    const std::lock_guard lock(mutex_);
    // Rank 0 ends the meeting when its time is over, which is a little later if it has started later.
    is_late = is_meeting_ && !leads() && now > meets_until_ + patience_.beat;
    if (is_late) is_meeting_ = false;
    const bool stood_still = own_pause_.has_ended(now);
    for (auto& [rank, heard_at] : heard_) {
      if (stood_still) heard_at = now;
      if (now - heard_at > patience_.silence) silent.push_back(rank);
    }
    for (const std::int64_t rank : silent) heard_.erase(rank);
  }
  if (is_late) tell(schema::FailureEvent{schema::Status::failed, {"rendezvous", cannot_reach(request_.place), ""}});
  for (const std::int64_t rank : silent)
    tell(schema::LostEvent{rank, "no sign of life for " + std::to_string(patience_.silence.count() / 1000) + " s"});
}

void Relay::flush() {
  constexpr milliseconds kMost{2'000};
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kMost, [this] { return outbox_.empty() && !is_writing_; });
}

c10::intrusive_ptr<c10d::Store> Relay::open_store() const {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(request_.place.port);
  options.isServer = request_.keeps_store;
  if (options.isServer) options.masterListenFd = listen_at(request_.place.address, request_.place.port);
  options.waitWorkers = false;
  options.timeout = milliseconds_of(request_.place.timeout_seconds);
  return c10::make_intrusive<c10d::TCPStore>(request_.place.address, options);
}

void Relay::receive() {
  std::string failure;
  bool is_connected = false;
  try {
    const auto store = open_store();
    is_connected = true;
    const schema::MetEvent met = meet(*store);
    begin_watching(met);
    tell(met);
    store->setTimeout(kLong);
    transmitter_ = std::thread([this, own = store->clone()] { transmit(*own); });
    if (leads()) {
      take_mail(*store);
    } else {
      take_orders(*store);
    }
  } catch (const base::Error& error) {
    failure = error.what();
  } catch (const std::exception&) {
    const bool is_early = is_connected && Clock::now() < meets_until_;
    failure = is_early ? lost_while_meeting(request_.place) : cannot_reach(request_.place);
  }
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(is_meeting_, false)) failure.clear();  // has met, or is too late already
  }
  if (failure.empty()) return lose_all("the connection at " + meeting_place(request_.place) + " is closed");
  tell(schema::FailureEvent{schema::Status::failed, {"rendezvous", failure, ""}});
}

// Several runs of one torchrun share a store, so keys of earlier runs may be there. Each front has a random
// name, and the run a random prefix. A front of an earlier run may have said that it has come, and ended
// before rank 0 heard it. So rank 0 calls each front, and only those that reply have come.
schema::MetEvent Relay::meet(c10d::Store& store) const {
  if (leads()) return gather(store);
  const std::string name = base::random_hex(kNameDigits);
  store.queuePush(kHello, as_bytes(name + " " + to_line(request_.facts)));
  (void)store.get(key_of("call", name));
  store.set(key_of("reply", name), as_bytes("here"));
  return {.prefix = as_text(store.get(key_of("welcome", name))), .fronts = {}};
}

schema::MetEvent Relay::gather(c10d::Store& store) const {
  schema::MetEvent met{"mpsbench/" + base::random_hex(kNameDigits), {request_.facts}};
  std::map<std::string, schema::FrontFacts> called;  // by name: those that have not replied
  std::vector<std::string> names;
  while (std::ssize(met.fronts) < request_.place.ranks && Clock::now() < meets_until_) {
    for (std::int64_t waiting = store.queueLen(kHello); waiting > 0; --waiting) {
      const std::string hello = as_text(store.queuePop(kHello, true));
      const std::string name = hello.substr(0, hello.find(' '));
      called[name] = schema::parse_front_facts(hello.substr(name.size()));
      store.set(key_of("call", name), as_bytes("are you here?"));
    }
    std::erase_if(called, [&](const auto& one) {
      if (!store.check({key_of("reply", one.first)})) return false;
      names.push_back(one.first);
      met.fronts.push_back(one.second);
      return true;
    });
    std::this_thread::sleep_for(kLookAgain);
  }
  std::ranges::stable_sort(met.fronts, {}, &schema::FrontFacts::rank);
  for (const std::string& name : names) store.set(key_of("welcome", name), as_bytes(met.prefix));
  return met;
}

void Relay::begin_watching(const schema::MetEvent& met) {
  const std::lock_guard lock(mutex_);
  is_meeting_ = false;
  prefix_ = met.prefix;
  if (!leads()) heard_[0] = Clock::now();
  for (const schema::FrontFacts& one : met.fronts) {
    if (one.rank != 0) heard_[one.rank] = Clock::now();
  }
}

void Relay::take_mail(c10d::Store& store) {
  while (true) {
    const std::string mail = as_text(store.queuePop(mail_key(prefix_), true));
    const std::size_t rank_end = mail.find(' ');
    hear(std::stoll(mail.substr(0, rank_end)), mail.substr(rank_end + 1));
  }
}

void Relay::take_orders(c10d::Store& store) {
  for (std::int64_t number = 0;; ++number) hear(0, as_text(store.get(order_key(prefix_, number))));
}

// An empty text is a beat.
void Relay::hear(std::int64_t rank, const std::string& text) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = heard_.find(rank);
    if (known == heard_.end()) return;  // it is lost
    known->second = Clock::now();
  }
  if (!text.empty()) tell(schema::MessageEvent{rank, schema::parse_front_message(text)});
}

// The thread that sends messages and, if there are none, beats.
void Relay::transmit(c10d::Store& store) {
  try {
    while (true) {
      std::string text;
      {
        std::unique_lock lock(mutex_);
        is_writing_ = false;
        changed_.notify_all();
        changed_.wait_for(lock, patience_.beat, [this] { return !outbox_.empty(); });
        if (!outbox_.empty()) {
          text = std::move(outbox_.front());
          outbox_.pop_front();
          is_writing_ = true;
        }
      }
      if (!text.empty() || front_lives_()) write(store, text);
    }
  } catch (const std::exception&) {
    lose_all("the connection at " + meeting_place(request_.place) + " is closed");
  }
}

void Relay::write(c10d::Store& store, const std::string& text) {
  if (leads()) {
    store.set(order_key(prefix_, orders_), as_bytes(text));
    // Otherwise the store would grow with each beat. A front that has not read the old one was lost long before.
    if (orders_ >= kKeptOrders) store.deleteKey(order_key(prefix_, orders_ - kKeptOrders));
    ++orders_;
  } else {
    store.queuePush(mail_key(prefix_), as_bytes(std::to_string(request_.place.rank) + " " + text));
  }
}

void Relay::lose_all(const std::string& reason) {
  std::map<std::int64_t, Clock::time_point> lost;
  {
    const std::lock_guard lock(mutex_);
    lost.swap(heard_);
  }
  for (const auto& [rank, heard_at] : lost) tell(schema::LostEvent{rank, reason});
}

void Relay::tell(const schema::Event& event) {
  const std::lock_guard lock(telling_);
  tell_(event);
}

}  // namespace mpsbench::collective
