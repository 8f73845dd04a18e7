#pragma once

#include <gdsim/store/shard.hpp>

#include <cstdint>
#include <string>

namespace gdsim::cli {

/// A whole number that an option has. Throws UsageError if it is none, or less than `min`.
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t min);

/// The value of `--shard`, such as `3/8`. Throws UsageError.
Shard parse_shard(const std::string& text);

}  // namespace gdsim::cli
