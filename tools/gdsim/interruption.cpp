#include "command_line.hpp"

#include <semaphore.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <system_error>
#include <thread>

namespace gdsim::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

/// The first signal posts it: a handler may post a semaphore, but must not request a stop.
sem_t first_signal;

/// When the first signal arrived. Only the handler touches it, and the handler does not interrupt itself.
timespec first{};

std::int64_t milliseconds_since(const timespec& start) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec - start.tv_sec) * 1'000 + (now.tv_nsec - start.tv_nsec) / 1'000'000;
}

/// Some senders, such as timeout(1), signal the program and then its whole group: this counts as one signal.
constexpr std::int64_t kSameWishMilliseconds = 500;

extern "C" void on_signal(int signal) {
  if (!interrupted.exchange(true)) {
    clock_gettime(CLOCK_MONOTONIC, &first);
    sem_post(&first_signal);
  } else if (milliseconds_since(first) > kSameWishMilliseconds) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

std::stop_token watch_for_interruption() {
  sem_init(&first_signal, 0, 0);
  const std::stop_source source;
  // Sleeps until a signal arrives or the program ends.
  try {
    std::thread([source]() mutable {
      while (sem_wait(&first_signal) != 0) {
      }
      source.request_stop();
    }).detach();
  } catch (const std::system_error&) {
    return source.get_token();  // without the thread, a signal ends the program at once
  }
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&action.sa_mask, signal);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hang_up {};
  sigaction(SIGHUP, nullptr, &hang_up);
  if (hang_up.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  return source.get_token();
}

}  // namespace gdsim::cli
