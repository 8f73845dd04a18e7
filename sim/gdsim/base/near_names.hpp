#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gdsim {

/// The known name that `found` most likely means (one or two typing errors away), or nothing.
std::string_view nearest_name(std::string_view found, std::span<const std::string_view> known);

/// ` did you mean 'barrier'?` or nothing, to be appended to a message after a separator.
std::string did_you_mean(std::string_view found, std::span<const std::string_view> known);

/// `known: a, b; did you mean 'a'?`, or without the guess.
std::string known_names(std::string_view found, std::span<const std::string_view> known);

/// `a, b, c`.
std::string join(std::span<const std::string_view> names);

}  // namespace gdsim
