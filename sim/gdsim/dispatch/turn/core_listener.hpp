#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

namespace gdsim {

/// Called before what a core holds changes, so that integrals over time of what it holds can be brought up to date. An
/// implementation must not change what is decided.
class CoreListener {
 public:
  virtual void before_change(CoreId core, SimTime now) = 0;

 protected:
  CoreListener() = default;
  CoreListener(const CoreListener&) = default;
  CoreListener& operator=(const CoreListener&) = default;
  ~CoreListener() = default;
};

}  // namespace gdsim
