#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

namespace gdsim {

/// Is called before the contents of a core change, so that integrals over time of its contents can be brought up to
/// date. An implementation must not change decisions.
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
