#pragma once

#include <gdsim/run/simulate.hpp>

#include <pybind11/pybind11.h>

#include <csignal>
#include <cstdint>
#include <optional>
#include <thread>

namespace gdsim::python {

/// When to begin watching SIGINT: at once, for calls that use several threads; or later, after the run has polled its
/// stop token a hundred times, which most runs never do.
enum class Watch : std::uint8_t { at_once, later };

/// While an object lives on Python's main thread, SIGINT also sets a flag that runs poll: asking Python at each poll
/// would cost a fifth of a run. Python's own handler is still called. Other threads are not interrupted, as elsewhere
/// in Python. The GIL must be held during construction and destruction.
class Interruptible {
 public:
  explicit Interruptible(Watch watch);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  /// Returns a token for runs that end before this object is destroyed.
  StopToken token();
  /// If there was a SIGINT, throws the exception of Python's handler, or KeyboardInterrupt.
  void raise_if_interrupted() const;

 private:
  friend struct InterruptionFlag;

  /// The GIL must be held.
  void begin_to_watch();
  /// The run calls it without the GIL.
  bool stop_requested();

  std::thread::id thread_ = std::this_thread::get_id();
  std::uint32_t looks_ = 0;
  bool is_watching_ = false;
  std::optional<pybind11::error_already_set> raised_;  ///< by Python's handler, when the watch began
  struct sigaction previous_ {};
};

/// Calls `work(stop)` without the GIL. Throws KeyboardInterrupt if Python's main thread was interrupted meanwhile.
template <class Work>
auto without_gil(Watch watch, Work work) {
  Interruptible interruptible(watch);
  auto result = [&] {
    const pybind11::gil_scoped_release released;
    return work(interruptible.token());
  }();
  interruptible.raise_if_interrupted();
  return result;
}

}  // namespace gdsim::python
