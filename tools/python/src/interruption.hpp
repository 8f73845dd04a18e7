#pragma once

#include <gdsim/run/simulate.hpp>

#include <pybind11/pybind11.h>

#include <csignal>
#include <utility>

namespace gdsim::python {

/// While one lives on the main thread of Python, SIGINT also sets a flag that runs read: asking Python at each look would
/// cost a fifth of a run. Python's own handler is called all the same. Other threads are not interrupted, as elsewhere in
/// Python. Made and destroyed while the GIL is held.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  StopToken token() const;
  /// Throws what Python's handler raised, or KeyboardInterrupt, if there was a SIGINT.
  void raise_if_interrupted() const;

 private:
  bool is_watching_ = false;
  struct sigaction previous_ {};
};

/// `work(stop)` without the GIL. Throws KeyboardInterrupt if the main thread of Python was interrupted meanwhile.
template <class Work>
auto without_gil(Work work) {
  const Interruptible interruptible;
  auto result = [&] {
    const pybind11::gil_scoped_release released;
    return work(interruptible.token());
  }();
  interruptible.raise_if_interrupted();
  return result;
}

}  // namespace gdsim::python
