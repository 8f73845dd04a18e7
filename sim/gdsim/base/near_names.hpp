#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gdsim {

/// Returns the known name that `found` most likely means (one or two typing errors away); empty if there is none.
std::string_view nearest_name(std::string_view found, std::span<const std::string_view> known);

/// Returns ` did you mean 'barrier'?`, to be appended to a message after a separator; empty if no name is near.
std::string did_you_mean(std::string_view found, std::span<const std::string_view> known);

/// Returns `known: a, b; did you mean 'a'?`, or `known: a, b` if no name is near.
std::string known_names(std::string_view found, std::span<const std::string_view> known);

/// Returns the names as `a, b, c`.
std::string join(std::span<const std::string_view> names);

}  // namespace gdsim
