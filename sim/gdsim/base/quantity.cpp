#include <gdsim/base/quantity.hpp>

#include <gdsim/base/text.hpp>

#include <array>

namespace gdsim {
namespace {

/// A unit's name and its size in base units.
struct Unit {
  std::string_view name;
  std::uint64_t scale;
};

constexpr std::array kTimeUnits{Unit{"ps", 1}, Unit{"ns", 1'000}, Unit{"us", 1'000'000}, Unit{"ms", 1'000'000'000},
                                Unit{"s", kPicosecondsPerSecond}};
constexpr std::array kByteUnits{Unit{"B", 1}, Unit{"KiB", 1ULL << 10}, Unit{"MiB", 1ULL << 20},
                                Unit{"GiB", 1ULL << 30}};
constexpr std::array kFrequencyUnits{Unit{"Hz", 1}, Unit{"kHz", 1'000}, Unit{"MHz", 1'000'000},
                                     Unit{"GHz", 1'000'000'000}};
constexpr std::array kPowerUnits{Unit{"uW", 1}, Unit{"mW", 1'000}, Unit{"W", 1'000'000}, Unit{"kW", 1'000'000'000},
                                 Unit{"MW", 1'000'000'000'000}};
constexpr std::array kBandwidthUnits{Unit{"B/s", 1}, Unit{"kB/s", 1'000}, Unit{"MB/s", 1'000'000},
                                     Unit{"GB/s", 1'000'000'000}, Unit{"TB/s", 1'000'000'000'000}};

template <std::size_t N>
std::string names_of(const std::array<Unit, N>& units) {
  std::string names;
  for (const Unit& unit : units) names += (names.empty() ? "" : ", ") + std::string(unit.name);
  return names;
}

/// The number of a quantity and the word after it.
struct Split {
  std::string_view number;
  std::string_view unit;
};

Split split_number(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return {text.substr(0, text.find(' ')), {}};
  std::size_t end = 0;
  while (end < text.size() &&
         (text[end] == '.' || text[end] == '-' || text[end] == '+' || (text[end] >= '0' && text[end] <= '9')))
    ++end;
  // An exponent belongs to the number only if digits follow: `1e3 ns`, but `1 e`.
  if (end > 0 && end + 1 < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t digits = end + 1;
    if (text[digits] == '-' || text[digits] == '+') ++digits;
    const std::size_t first = digits;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
    if (digits > first) end = digits;
  }
  std::size_t unit = end;
  while (unit < text.size() && text[unit] == ' ') ++unit;
  return {text.substr(0, end), text.substr(unit)};
}

std::string unit_hint(std::string_view unit) {
  if (unit == "KB" || unit == "kB" || unit == "K") return "; write KiB (1024 B)";
  if (unit == "MB" || unit == "M") return "; write MiB";
  if (unit == "GB" || unit == "G") return "; write GiB";
  if (unit == "GiB/s" || unit == "MiB/s") return "; bandwidths are in powers of 1000";
  if (unit == "\xC2\xB5s" || unit == "\xCE\xBCs") return "; write us";
  return {};
}

/// The decimal and the unit's scale, or the problem.
struct Measured {
  std::optional<Decimal> amount;
  std::uint64_t scale = 1;
  std::string problem;
};

template <std::size_t N>
Measured measure(std::string_view text, const std::array<Unit, N>& units) {
  const Split split = split_number(text);
  if (split.number.empty()) return {std::nullopt, 1, "is not a number with a unit (" + names_of(units) + ")"};
  Parsed<Decimal> number = parse_decimal(split.number);
  if (!number.value) return {std::nullopt, 1, std::move(number.problem)};
  if (split.unit.empty()) return {std::nullopt, 1, "has no unit; one of " + names_of(units) + " is needed"};
  for (const Unit& unit : units)
    if (unit.name == split.unit) return {number.value, unit.scale, {}};
  return {std::nullopt, 1,
          "has the unit " + in_quotes(split.unit) + ", not one of " + names_of(units) + unit_hint(split.unit)};
}

/// Parses an amount that must be a whole number of base units.
template <class T, std::size_t N>
Parsed<T> parse_whole(std::string_view text, const std::array<Unit, N>& units, const char* base) {
  Measured measured = measure(text, units);
  if (!measured.amount) return {std::nullopt, std::move(measured.problem)};
  if (!is_whole(*measured.amount, measured.scale))
    return {std::nullopt, std::string("is not a whole number of ") + base};
  const auto count = round_product({*measured.amount}, {measured.scale, 1});
  if (!count) return {std::nullopt, "is too large: it must fit into 63 bits"};
  return {T{*count}, {}};
}

std::uint64_t magnitude_of(std::int64_t count) {
  return count < 0 ? -static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
}

std::string sign_of(std::int64_t count) { return count < 0 ? "-" : ""; }

/// Returns `count` in the largest of `units` in which it has at most three decimals.
template <std::size_t N>
std::string in_largest_unit(std::int64_t count, const std::array<Unit, N>& units) {
  const std::uint64_t value = magnitude_of(count);
  for (std::size_t i = units.size(); i-- > 1;) {
    const auto scale = units[i].scale;
    if (value < scale || value % (scale / 1'000) != 0) continue;
    return sign_of(count) + to_text(Decimal{value / (scale / 1'000), -3}) + " " + std::string(units[i].name);
  }
  return std::to_string(count) + " " + std::string(units[count == 0 ? units.size() - 1 : 0].name);
}

}  // namespace

TimeOverflowError::TimeOverflowError()
    : std::runtime_error(
          "the simulated time leaves 64-bit picoseconds (9,223,372 s): shorten the program or the launches") {}

void detail::raise_time_overflow() { throw TimeOverflowError(); }

Duration times(Duration once, std::uint64_t count) {
  std::int64_t time = 0;
  if (__builtin_mul_overflow(once.count, count, &time)) detail::raise_time_overflow();
  return Duration{time};
}

namespace {

/// Returns the picoseconds of one unit of a step's time, or nullopt for a cycle of an unknown clock.
std::optional<Ratio> picoseconds_per(StepTime::Unit unit, Hertz clock) {
  if (unit == StepTime::Unit::picoseconds) return Ratio{1, 1};
  if (clock.count <= 0) return std::nullopt;
  return Ratio{kPicosecondsPerSecond, static_cast<UInt128>(clock.count)};
}

std::optional<Duration> duration_of(std::optional<std::int64_t> picoseconds) {
  if (!picoseconds) return std::nullopt;
  return Duration{*picoseconds};
}

}  // namespace

std::optional<Duration> resolve(const StepTime& time, Hertz clock, const Decimal& factor, const Decimal& more) {
  if (time.amount.is_zero()) return Duration{};  // even in cycles of an unknown clock
  const auto scale = picoseconds_per(time.unit, clock);
  if (!scale) return std::nullopt;
  return duration_of(round_product({time.amount, factor, more}, *scale));
}

std::optional<Duration> resolve_up(const StepTime& time, std::uint64_t times, Hertz clock, const Decimal& factor,
                                   const Decimal& more) {
  if (time.amount.is_zero()) return Duration{};
  const auto scale = picoseconds_per(time.unit, clock);
  if (!scale) return std::nullopt;
  return duration_of(round_product_up({time.amount, Decimal::whole(times), factor, more}, *scale));
}

Parsed<Duration> parse_duration(std::string_view text) {
  Measured measured = measure(text, kTimeUnits);
  if (!measured.amount) return {std::nullopt, std::move(measured.problem)};
  const auto count = round_product({*measured.amount}, {measured.scale, 1});
  if (!count) return {std::nullopt, "is too long: a time must fit into 64-bit picoseconds (9,223,372 s)"};
  return {Duration{*count}, {}};
}

Parsed<SimTime> parse_time(std::string_view text) {
  Parsed<Duration> span = parse_duration(text);
  if (!span.value) return {std::nullopt, std::move(span.problem)};
  return {SimTime{} + *span.value, {}};
}

Parsed<StepTime> parse_step_time(std::string_view text) {
  constexpr std::array units{kTimeUnits[0], kTimeUnits[1], kTimeUnits[2],
                             kTimeUnits[3], kTimeUnits[4], Unit{"cycles", 0}};
  const std::string plural = text.ends_with("cycle") ? std::string(text) + "s" : std::string();
  Measured measured = measure(plural.empty() ? text : plural, units);
  if (!measured.amount) return {std::nullopt, std::move(measured.problem)};
  if (measured.scale == 0) return {StepTime{*measured.amount, StepTime::Unit::cycles}, {}};
  if (!round_product({*measured.amount}, {measured.scale, 1}))
    return {std::nullopt, "is too long: a time must fit into 64-bit picoseconds (9,223,372 s)"};
  for (auto scale = measured.scale; scale > 1; scale /= 10) ++measured.amount->exponent;
  return {StepTime{*measured.amount, StepTime::Unit::picoseconds}, {}};
}

Parsed<Bytes> parse_bytes(std::string_view text) { return parse_whole<Bytes>(text, kByteUnits, "bytes"); }

Parsed<Hertz> parse_frequency(std::string_view text) {
  Parsed<Hertz> clock = parse_whole<Hertz>(text, kFrequencyUnits, "hertz");
  if (clock.value && clock.value->count == 0) return {std::nullopt, "must be more than 0"};
  return clock;
}

Parsed<Power> parse_power(std::string_view text) { return parse_whole<Power>(text, kPowerUnits, "microwatts"); }

Parsed<BytesPerSecond> parse_bandwidth(std::string_view text) {
  Parsed<BytesPerSecond> rate = parse_whole<BytesPerSecond>(text, kBandwidthUnits, "bytes per second");
  if (rate.value && rate.value->count == 0) return {std::nullopt, "must be more than 0"};
  return rate;
}

std::string to_text(Duration span) { return in_largest_unit(span.count, kTimeUnits); }

std::string to_text(SimTime time) { return to_text(since_start(time)); }

std::string to_rounded_text(Duration span) {
  for (std::size_t i = kTimeUnits.size(); i-- > 1;) {
    const auto scale = kTimeUnits[i].scale;
    const std::uint64_t value = magnitude_of(span.count);
    if (value < scale) continue;
    const auto thousandths = round_product({Decimal::whole(value)}, {1'000, scale});
    return sign_of(span.count) + to_text(Decimal{static_cast<UInt128>(*thousandths), -3}) + " " +
           std::string(kTimeUnits[i].name);
  }
  return to_text(span);
}

std::string to_rounded_text(SimTime time) { return to_rounded_text(since_start(time)); }

std::string to_text(Bytes amount) {
  for (std::size_t i = kByteUnits.size(); i-- > 1;) {
    const auto scale = static_cast<std::int64_t>(kByteUnits[i].scale);
    if (amount.count >= scale && amount.count % scale == 0)
      return std::to_string(amount.count / scale) + " " + std::string(kByteUnits[i].name);
  }
  return std::to_string(amount.count) + " B";
}

std::string to_text(Hertz clock) { return in_largest_unit(clock.count, kFrequencyUnits); }

std::string to_text(Power power) { return power.count == 0 ? "0 W" : in_largest_unit(power.count, kPowerUnits); }

std::string to_text(BytesPerSecond bandwidth) { return in_largest_unit(bandwidth.count, kBandwidthUnits); }

}  // namespace gdsim
