#pragma once

#include <gdsim/store/point_store.hpp>

#include <cstdint>
#include <string>

namespace gdsim::cli {

/// Reads the whole number of an option. Throws UsageError if it is not a whole number or is less than `min`.
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t min);

/// Reads the value of `--shard`, such as `3/8`. Throws UsageError.
Shard parse_shard(const std::string& text);

}  // namespace gdsim::cli
