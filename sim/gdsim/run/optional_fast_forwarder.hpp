#pragma once

#ifndef GDSIM_WITHOUT_FAST_FORWARD

#include <gdsim/fast_forward/fast_forwarder.hpp>

#else

#include <gdsim/fast_forward/fast_forward.hpp>
#include <gdsim/fast_forward/fast_forward_sink.hpp>
#include <gdsim/model/model.hpp>

namespace gdsim {

/// Replaces FastForwarder in builds without fast-forwarding (`-DGDSIM_FAST_FORWARD=OFF`): every instant is simulated.
class FastForwarder {
 public:
  FastForwarder(Model&, FastForwardSink&, SimTime, const FastForward&) {}
  void before_instant() {}
  void on_instant_end() {}
  void finish() {}
};

}  // namespace gdsim

#endif
