#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace gdsim::cli {

/// Connections to a server, each with the time at which its socket is shut down, whatever has arrived until then. May
/// be used by several threads at once.
class Deadlines {
 public:
  Deadlines();

  /// From now on, the connection has so much time. Shuts it down at once if there is no memory to remember it.
  void add(const void* connection, int socket, std::chrono::seconds time) noexcept;
  /// Gives the connection so much time from now on. Does nothing if its time is over.
  void extend(const void* connection, std::chrono::seconds time) noexcept;
  /// Must be called before the socket is closed.
  void remove(const void* connection) noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  struct Open {
    int socket;
    Clock::time_point end;
  };

  void watch(const std::stop_token& over);
  void shut_down_late();

  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::map<const void*, Open> open_;
  std::jthread watcher_;
};

}  // namespace gdsim::cli
