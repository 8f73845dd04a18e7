#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/dispatch_rules.hpp>

#include <span>
#include <string_view>

namespace gdsim {

/// Returns the problems with dispatch rules. `placements` are the names of the known placements.
Issues check_dispatch(const DispatchRules& rules, std::span<const std::string_view> placements);

}  // namespace gdsim
