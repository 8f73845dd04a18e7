#pragma once

#include "scaling/scaling_case.hpp"

#include <cstdint>
#include <string>

namespace gdsim::scaling {

/// A scenario file that grows key by key.
class ScenarioText {
 public:
  explicit ScenarioText(Rules rules);

  /// The device with more keys of its own, or others in place of what it has: `cores: 12`.
  void device(const std::string& keys) { device_keys_ = keys; }
  /// Keys of `dispatch:` beside those of the rules.
  void dispatch(const std::string& keys);
  /// Work-groups of the device's usual size, four threads on most: `program` is a list of steps; `keys` are further
  /// ones.
  void kernel(const std::string& name, std::uint64_t groups, const std::string& program, const std::string& keys = {});
  void queue(const std::string& name, const std::string& keys) { queues_ += "  " + name + ": {" + keys + "}\n"; }
  /// In the queue of the rules, if there is one.
  void launch(const std::string& keys);
  void parameter(const std::string& name, const std::string& value) {
    parameters_ += "  " + name + ": " + value + "\n";
  }
  void expect(const std::string& keys) { expectations_ += "  - {" + keys + "}\n"; }
  void a_case(const std::string& keys) { cases_ += "  - {" + keys + "}\n"; }
  void key(const std::string& line) { keys_ += line + "\n"; }

  std::string text() const;

 private:
  Rules rules_;
  std::string device_keys_;
  std::string dispatch_;
  std::string parameters_;
  std::string kernels_;
  std::string queues_;
  std::string launches_;
  std::string expectations_;
  std::string cases_;
  std::string keys_;
};

/// `item` so many times, with commas between: items of a list.
std::string repeated(const std::string& item, std::uint64_t count);

/// `head` with the number behind it.
std::string numbered(const std::string& head, std::uint64_t number);

}  // namespace gdsim::scaling
