#pragma once

#include <gdsim/run/simulate.hpp>

#include <pybind11/pybind11.h>

#include <csignal>
#include <cstdint>
#include <optional>
#include <thread>

namespace gdsim::python {

/// When SIGINT begins to be watched: at once, for calls that use several threads; or later, when the run has looked at
/// its stop token a hundred times, which most runs never do.
enum class Watch : std::uint8_t { at_once, later };

/// While one lives on the main thread of Python, SIGINT also sets a flag that runs read: asking Python at each look
/// would cost a fifth of a run. Python's own handler is called all the same. Other threads are not interrupted, as
/// elsewhere in Python. Made and destroyed while the GIL is held.
class Interruptible {
 public:
  explicit Interruptible(Watch watch);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  /// For runs that end before this does.
  StopToken token();
  /// Throws what Python's handler raised, or KeyboardInterrupt, if there was a SIGINT.
  void raise_if_interrupted() const;

 private:
  friend struct InterruptionFlag;

  /// Needs the GIL.
  void begin_to_watch();
  /// By the run. Without the GIL.
  bool stop_requested();

  std::thread::id thread_ = std::this_thread::get_id();
  std::uint32_t looks_ = 0;
  bool is_watching_ = false;
  std::optional<pybind11::error_already_set> raised_;  ///< by Python's handler, as the watch began
  struct sigaction previous_ {};
};

/// `work(stop)` without the GIL. Throws KeyboardInterrupt if the main thread of Python was interrupted meanwhile.
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
