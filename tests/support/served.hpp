#pragma once

#include "support/background.hpp"
#include "support/temporary_folder.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gdsim::testing {

/// An answer of a server.
struct HttpAnswer {
  int status = 0;
  std::string head;  ///< all lines before the body
  std::string body;
};

/// A connection to a port of this machine. What fails is not reported: the other end may have cut it off.
class Connection {
 public:
  explicit Connection(std::uint16_t port);
  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(const std::string& text) const;
  /// Returns what arrives until the other end closes the connection.
  std::string rest() const;
  /// Waits until something has arrived at one of them, and removes it. Returns how many it removed.
  static std::size_t wait_for_one(std::vector<Connection>& connections);

 private:
  int socket_;
};

/// `gdsim serve` of this build, running concurrently with the test, and a client of it.
class Served {
 public:
  /// Starts the server, and waits until it prints its address. Throws if it ends before.
  explicit Served(std::vector<std::string> words);

  std::uint16_t port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  /// Sends these lines and the end of the request, and returns the answer.
  HttpAnswer ask(const std::string& lines) const;
  /// Returns the answer to `GET PATH`, as a browser requests it.
  HttpAnswer get(const std::string& path) const;

  /// The state that `changes` reports.
  struct State {
    std::uint64_t state = 0;
    std::uint64_t page = 0;
    std::string error;
  };
  /// The state at present.
  State now() const;
  /// Waits for changes until the page of this number is available without an error. Returns the page.
  std::string page(std::uint64_t number) const;
  /// Waits for an error that contains `part`.
  State error_with(const std::string& part) const;

  /// Interrupts the server as Ctrl-C does; returns its exit status.
  int interrupt();

 private:
  State after(std::uint64_t known) const;
  State wait_for(const std::function<bool(const State&)>& is_it) const;

  TemporaryFolder folder_;
  Background program_;
  std::uint16_t port_ = 0;
};

}  // namespace gdsim::testing
