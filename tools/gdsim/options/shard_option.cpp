#include "options/shard_option.hpp"

#include "options/options.hpp"

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/text.hpp>

#include <cstddef>

namespace gdsim::cli {

std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t min) {
  const Parsed<Decimal> number = parse_decimal(text);
  const auto whole = number.value && is_whole(*number.value, 1) ? round_product({*number.value}) : std::nullopt;
  if (!whole || static_cast<std::uint64_t>(*whole) < min)
    throw UsageError(option + " " + in_quotes(text) + " is not a whole number of at least " + std::to_string(min));
  return static_cast<std::uint64_t>(*whole);
}

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) throw UsageError("--shard " + in_quotes(text) + " is not I/N, as in --shard 3/8");
  const Shard shard{whole_number("--shard", text.substr(0, slash), 1),
                    whole_number("--shard", text.substr(slash + 1), 1)};
  if (shard.number > shard.count)
    throw UsageError("--shard " + in_quotes(text) + ": shards are counted from 1 to " + std::to_string(shard.count));
  return shard;
}

}  // namespace gdsim::cli
