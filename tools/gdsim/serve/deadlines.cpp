#include "serve/deadlines.hpp"

#include <sys/socket.h>

#include <new>

namespace gdsim::cli {

Deadlines::Deadlines() : watcher_([this](const std::stop_token& over) { watch(over); }) {}

void Deadlines::add(const void* connection, int socket, std::chrono::seconds time) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    open_[connection] = {socket, Clock::now() + time};
  } catch (const std::bad_alloc&) {
    shutdown(socket, SHUT_RDWR);
  }
}

void Deadlines::extend(const void* connection, std::chrono::seconds time) noexcept {
  const std::lock_guard lock(mutex_);
  if (const auto found = open_.find(connection); found != open_.end()) found->second.end = Clock::now() + time;
}

void Deadlines::remove(const void* connection) noexcept {
  const std::lock_guard lock(mutex_);
  open_.erase(connection);
}

void Deadlines::watch(const std::stop_token& over) {
  constexpr std::chrono::milliseconds interval{250};
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, over, interval, [&] { return over.stop_requested(); })) shut_down_late();
}

void Deadlines::shut_down_late() {
  const Clock::time_point now = Clock::now();
  std::erase_if(open_, [&](const auto& entry) {
    if (entry.second.end > now) return false;
    shutdown(entry.second.socket, SHUT_RDWR);
    return true;
  });
}

}  // namespace gdsim::cli
