#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>

namespace gdsim {

/// What can happen to threads of a work-group on a core.
enum class FactKind : std::uint8_t {
  placed,     ///< threads took contexts and run
  waiting,    ///< running threads began to wait at a barrier
  resumed,    ///< waiting threads run again
  ended,      ///< running threads came to the end of their program
  given_back  ///< contexts of threads that had ended came back
};

/// One thing that happened at one instant. Plain: observers get many at once.
struct Fact {
  FactKind kind{};
  bool opens_core = false;    ///< with `placed`: the work-group's first threads on this core; its resources were taken
  bool opens_group = false;   ///< with `placed`: the work-group's first threads at all
  bool fills_group = false;   ///< with `placed`: now all its threads are placed
  bool closes_core = false;   ///< its resources on this core came back; with `given_back`, or apart with 0 threads
  bool closes_group = false;  ///< the work-group has ended
  CoreId core{};
  std::uint32_t threads = 0;
  LaunchId launch{};
  WorkGroupId work_group{};
  Bytes slm;  ///< what the work-group occupies; the same in all its facts
};

/// A launch that begins - with its first thread, or its copy - or has ended, children included.
struct LaunchFact {
  enum class Kind : std::uint8_t { begins, ends };
  Kind kind{};
  LaunchId launch{};
};

}  // namespace gdsim
