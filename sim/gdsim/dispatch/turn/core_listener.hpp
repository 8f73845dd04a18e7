#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

namespace gdsim {

/// Is called before the contents of a core change, so that integrals of its contents over time can be updated. An
/// implementation must not affect decisions.
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
