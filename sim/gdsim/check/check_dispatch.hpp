#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/dispatch_rules.hpp>

#include <span>
#include <string_view>

namespace gdsim {

/// What is wrong with dispatch rules, of which placements are known by these names.
Issues check_dispatch(const DispatchRules& rules, std::span<const std::string_view> placements);

}  // namespace gdsim
