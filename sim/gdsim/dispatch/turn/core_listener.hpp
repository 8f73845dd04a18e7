#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

namespace gdsim {

/// Is told before what a core holds changes: what is added up over time by what cores hold has to be settled first. It
/// must not change what is decided.
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
