#pragma once

#include "support/background.hpp"
#include "support/temporary_folder.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gdsim::testing {

/// What a server answered.
struct HttpAnswer {
  int status = 0;
  std::string head;  ///< all lines before the body
  std::string body;
};

/// `gdsim serve` of this build, beside the test, and a client of it.
class Served {
 public:
  /// Waits until it says where it serves; throws if it ends before.
  explicit Served(std::vector<std::string> words);

  std::uint16_t port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  /// The answer to these lines, to which the end of the request is added.
  HttpAnswer ask(const std::string& lines) const;
  /// The answer to `GET PATH`, as a browser asks.
  HttpAnswer get(const std::string& path) const;

  /// What `changes` reports.
  struct State {
    std::uint64_t state = 0;
    std::uint64_t page = 0;
    std::string error;
  };
  /// Waits for changes until the page of this number is there and nothing is wrong. Returns it.
  std::string page(std::uint64_t number) const;
  /// Waits until something is wrong that contains this.
  State error_with(const std::string& part) const;

  /// As Ctrl-C; returns the exit status.
  int interrupt();

 private:
  State after(std::uint64_t known) const;
  State wait_for(const std::function<bool(const State&)>& is_it) const;

  TemporaryFolder folder_;
  Background program_;
  std::uint16_t port_ = 0;
};

}  // namespace gdsim::testing
