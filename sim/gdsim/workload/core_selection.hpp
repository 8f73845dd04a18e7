#pragma once

#include <gdsim/base/ids.hpp>

#include <vector>

namespace gdsim {

/// Cores from `first` to `last`, both included.
struct CoreRange {
  CoreId first{};
  CoreId last{};

  friend auto operator<=>(const CoreRange&, const CoreRange&) = default;
};

/// The cores to which something is restricted, ascending, no core twice. Empty: every core.
using CoreSelection = std::vector<CoreRange>;

/// Sorted, ranges that meet or overlap made one.
CoreSelection normalized(CoreSelection selection);

/// Every core of `inner` is one of `outer`; both normalized.
bool lies_within(const CoreSelection& inner, const CoreSelection& outer);

}  // namespace gdsim
