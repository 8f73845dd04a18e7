#pragma once

#ifndef GDSIM_WITHOUT_LEAP

#include <gdsim/leap/leap.hpp>

#else

#include <gdsim/leap/leap_sink.hpp>
#include <gdsim/model/model.hpp>

namespace gdsim {

/// Built without fast-forwarding (`-DGDSIM_LEAP=OFF`): every instant is simulated.
class Leap {
 public:
  Leap(Model&, LeapSink&, SimTime) {}
  void on_instant_end() {}
  void finish() {}
};

}  // namespace gdsim

#endif
