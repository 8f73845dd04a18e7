#include "interruption.hpp"

#include <atomic>

namespace gdsim::python {
namespace {

namespace py = pybind11;

// A signal handler can access only globals. Only the main thread of Python sets them, for one run at a time.
std::atomic<bool> is_interrupted{false};
struct sigaction called_next {};

void on_interruption(int signal, siginfo_t* info, void* context) {
  is_interrupted = true;
  if ((called_next.sa_flags & SA_SIGINFO) != 0) {
    if (called_next.sa_sigaction != nullptr) called_next.sa_sigaction(signal, info, context);
  } else if (called_next.sa_handler != SIG_DFL && called_next.sa_handler != SIG_IGN) {
    called_next.sa_handler(signal);
  }
}

bool is_main_thread() {
  const py::object main = py::module_::import("threading").attr("main_thread")().attr("ident");
  return !main.is_none() && main.cast<unsigned long>() == PyThread_get_thread_ident();
}

constexpr std::uint32_t kLooksWithoutWatch = 100;

}  // namespace

/// The stop condition of runs.
struct InterruptionFlag {
  bool stop_requested() const { return interruptible->stop_requested(); }

  Interruptible* interruptible;
};

Interruptible::Interruptible(Watch watch) {
  if (watch == Watch::later) return;
  looks_ = kLooksWithoutWatch;
  begin_to_watch();
}

void Interruptible::begin_to_watch() {
  if (!is_main_thread() || sigaction(SIGINT, nullptr, &previous_) != 0) return;
  const bool is_ignored = (previous_.sa_flags & SA_SIGINFO) == 0 && previous_.sa_handler == SIG_IGN;
  const bool is_ours = (previous_.sa_flags & SA_SIGINFO) != 0 && previous_.sa_sigaction == on_interruption;
  if (is_ignored || is_ours) return;
  is_interrupted = false;
  called_next = previous_;
  struct sigaction action {};
  action.sa_sigaction = on_interruption;
  action.sa_flags = SA_SIGINFO | (previous_.sa_flags & SA_ONSTACK);
  sigemptyset(&action.sa_mask);
  is_watching_ = sigaction(SIGINT, &action, nullptr) == 0;
  // Only Python knows of an earlier signal.
  if (PyErr_CheckSignals() != 0) raised_.emplace();
}

bool Interruptible::stop_requested() {
  if (looks_ < kLooksWithoutWatch && std::this_thread::get_id() == thread_ && ++looks_ == kLooksWithoutWatch) {
    const py::gil_scoped_acquire acquired;
    begin_to_watch();
  }
  return raised_ || (is_watching_ && is_interrupted.load(std::memory_order_relaxed));
}

Interruptible::~Interruptible() {
  if (is_watching_) sigaction(SIGINT, &previous_, nullptr);
}

StopToken Interruptible::token() { return StopToken(InterruptionFlag{this}); }

void Interruptible::raise_if_interrupted() const {
  if (raised_) throw py::error_already_set(*raised_);
  if (!is_watching_ || !is_interrupted) return;
  if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw py::error_already_set();
}

}  // namespace gdsim::python
