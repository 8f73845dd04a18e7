#pragma once

#include <gdsim/base/decimal.hpp>

#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace gdsim {

/// Is thrown if simulated time leaves the range of 64-bit picoseconds (about 106 days), or if a time that must not be
/// negative is.
class TimeOverflowError : public std::runtime_error {
 public:
  TimeOverflowError();
};

namespace detail {

/// Throws a TimeOverflowError. Thread-safe.
[[noreturn]] void raise_time_overflow();

}  // namespace detail

/// The type `Value` is `T`, or `const T`. So a struct `T` has one visit_keys(rule, visit) to read it and to check it:
/// visit_keys() calls `visit` with each plain key of a file, and the member that holds its value.
template <class Value, class T>
concept Is = std::same_as<std::remove_const_t<Value>, T>;

inline constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;

struct StepTime;

/// A span of simulated time, such as a latency or an interval. It is a whole number of picoseconds and may be negative.
/// Sums and differences that leave 64 bits throw TimeOverflowError.
struct Duration {
  std::int64_t count = 0;

  /// The time of a step. Throws TimeOverflowError if it is negative.
  constexpr operator StepTime() const;  // implicit: `Compute{5_us}`
  friend constexpr auto operator<=>(Duration, Duration) = default;
  friend constexpr Duration operator+(Duration a, Duration b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.count, b.count, &sum)) [[unlikely]]
      detail::raise_time_overflow();
    return {sum};
  }
  friend constexpr Duration operator-(Duration a, Duration b) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a.count, b.count, &difference)) [[unlikely]]
      detail::raise_time_overflow();
    return {difference};
  }
};

/// Returns `once` x `count`. Throws TimeOverflowError if it leaves 64 bits.
Duration times(Duration once, std::uint64_t count);

/// A point in simulated time: a whole number of picoseconds after `SimTime{}`, at which the simulated host begins. A
/// point plus or minus a Duration is a point; the difference of two points is a Duration. Sums and differences that
/// leave 64 bits throw TimeOverflowError.
///
///     const gdsim::Duration step = gdsim::parse_duration("1.5 us").value.value();
///     const gdsim::SimTime start{500'000};
///     std::cout << gdsim::to_text(start + step) << '\n';          // 2 us
///     std::cout << gdsim::to_text(start + step - start) << '\n';  // 1.5 us
struct SimTime {
  std::int64_t count = 0;

  friend constexpr auto operator<=>(SimTime, SimTime) = default;
  friend constexpr SimTime operator+(SimTime time, Duration span) { return {(Duration{time.count} + span).count}; }
  friend constexpr SimTime operator-(SimTime time, Duration span) { return {(Duration{time.count} - span).count}; }
  friend constexpr Duration operator-(SimTime a, SimTime b) { return Duration{a.count} - Duration{b.count}; }
};

/// The last point in simulated time.
inline constexpr SimTime kEndOfTime{std::numeric_limits<std::int64_t>::max()};

/// Returns the Duration from `SimTime{}` to `time`. Thread-safe.
constexpr Duration since_start(SimTime time) { return time - SimTime{}; }

/// A std::optional of a SimTime or a Duration in 8 bytes, for members that exist for each of a million launches. The
/// minimum of 64 bits represents nullopt. It converts to std::optional<T>.
template <class T>
class CompactOptional {
 public:
  constexpr CompactOptional() = default;
  constexpr CompactOptional(std::nullopt_t) {}                // implicit: as std::optional
  constexpr CompactOptional(T value) : value_(value) {}       // implicit: as std::optional
  constexpr CompactOptional(const std::optional<T>& value) {  // implicit: as std::optional
    if (value) value_ = *value;
  }

  constexpr bool has_value() const { return value_ != kNothing; }
  constexpr explicit operator bool() const { return has_value(); }
  /// There must be a value.
  constexpr const T& operator*() const { return value_; }
  constexpr const T* operator->() const { return &value_; }
  /// Throws std::bad_optional_access if there is none.
  constexpr T value() const {
    if (!has_value()) throw std::bad_optional_access();
    return value_;
  }
  constexpr T value_or(T other) const { return has_value() ? value_ : other; }
  constexpr void reset() { value_ = kNothing; }
  constexpr operator std::optional<T>() const {  // implicit: it is one
    return has_value() ? std::optional<T>(value_) : std::nullopt;
  }

  friend constexpr bool operator==(const CompactOptional& a, const CompactOptional& b) { return a.value_ == b.value_; }
  friend constexpr bool operator==(const CompactOptional& a, std::nullopt_t) { return !a.has_value(); }
  friend constexpr bool operator==(const CompactOptional& a, T b) { return a.value_ == b; }

 private:
  static constexpr T kNothing{std::numeric_limits<std::int64_t>::min()};
  T value_ = kNothing;
};

using OptionalTime = CompactOptional<SimTime>;
using OptionalDuration = CompactOptional<Duration>;

/// An amount of memory. compile() refuses more than 2^60, so that sums of a few stay within 64 bits.
struct Bytes {
  std::int64_t count = 0;

  friend constexpr auto operator<=>(Bytes, Bytes) = default;
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }
};

/// The frequency of a clock.
struct Hertz {
  std::int64_t count = 0;
  friend constexpr auto operator<=>(Hertz, Hertz) = default;
};

/// The clock of the device from a point in time on.
struct ClockChange {
  SimTime at;
  Hertz clock;
  friend bool operator==(const ClockChange&, const ClockChange&) = default;
};

/// Electrical power, in microwatts.
struct Power {
  std::int64_t count = 0;
  friend constexpr auto operator<=>(Power, Power) = default;
};

/// A bandwidth.
struct BytesPerSecond {
  std::int64_t count = 0;
  friend constexpr auto operator<=>(BytesPerSecond, BytesPerSecond) = default;
};

/// The duration of a step of a program, as written: an exact time or clock cycles of the device.
struct StepTime {
  enum class Unit : std::uint8_t { picoseconds, cycles };
  Decimal amount;
  Unit unit = Unit::picoseconds;
};

constexpr Duration::operator StepTime() const {
  if (count < 0) detail::raise_time_overflow();
  return {Decimal::whole(static_cast<std::uint64_t>(count)), StepTime::Unit::picoseconds};
}

namespace detail {

/// Returns `count` x `unit` picoseconds, for literals. Throws TimeOverflowError.
constexpr Duration literal_time(unsigned long long count, std::uint64_t unit) {
  std::int64_t picoseconds = 0;
  if (__builtin_mul_overflow(count, unit, &picoseconds)) raise_time_overflow();
  return {picoseconds};
}

}  // namespace detail

/// Returns `time` x `factor` x `more` on a device with `clock`, rounded once to a picosecond, halves up. Returns
/// nullopt if it leaves 64 bits, or if `time` is in cycles and the clock is not above 0. Thread-safe.
std::optional<Duration> resolve(const StepTime& time, Hertz clock, const Decimal& factor,
                                const Decimal& more = Decimal::whole(1));

/// As resolve(), but returns `time` x `times` x `factor` x `more`, rounded up. Thread-safe.
std::optional<Duration> resolve_up(const StepTime& time, std::uint64_t times, Hertz clock, const Decimal& factor,
                                   const Decimal& more);

/// Spans of time as they are written:
///
///     using namespace gdsim::literals;
///     device.launch_latency = 5_us;
///     gdsim::Kernel kernel;
///     kernel.program = {gdsim::Compute{250_ns}};
///     gdsim::RunOptions options;
///     options.bounds.time = gdsim::SimTime{} + 10_ms;
///
/// One that leaves 64 bits does not compile.
namespace literals {

consteval Duration operator""_ps(unsigned long long count) { return detail::literal_time(count, 1); }
consteval Duration operator""_ns(unsigned long long count) { return detail::literal_time(count, 1'000); }
consteval Duration operator""_us(unsigned long long count) { return detail::literal_time(count, 1'000'000); }
consteval Duration operator""_ms(unsigned long long count) { return detail::literal_time(count, 1'000'000'000); }
consteval Duration operator""_s(unsigned long long count) { return detail::literal_time(count, kPicosecondsPerSecond); }

}  // namespace literals

/// Parses `10 ms`, `0.5us`; units ps ns us ms s. Rounds to a picosecond, halves up. Thread-safe, as are all functions
/// that convert quantities to or from text.
Parsed<Duration> parse_duration(std::string_view text);
/// As parse_duration(). Returns the point in time that is the given span after `SimTime{}`.
Parsed<SimTime> parse_time(std::string_view text);
/// As parse_duration(), but exact. Also parses `5000 cycles`, `1 cycle`.
Parsed<StepTime> parse_step_time(std::string_view text);
/// Parses `64 KiB`; units B KiB MiB GiB. Must be a whole number of bytes.
Parsed<Bytes> parse_bytes(std::string_view text);
/// Parses `1.35 GHz`; units Hz kHz MHz GHz. Must be a whole number of hertz above 0.
Parsed<Hertz> parse_frequency(std::string_view text);
/// Parses `350 W`, `9.2 mW`; units uW mW W kW MW. Must be a whole number of microwatts.
Parsed<Power> parse_power(std::string_view text);
/// Parses `51.2 GB/s`; units B/s kB/s MB/s GB/s TB/s, powers of 1000. Must be a whole number of B/s above 0.
Parsed<BytesPerSecond> parse_bandwidth(std::string_view text);

/// Returns the span in the largest unit that needs at most three decimals: `20 ms`, `1.25 us`; zero is `0 s`.
std::string to_text(Duration span);
/// As above, for the span from `SimTime{}` to `time`.
std::string to_text(SimTime time);
/// Returns the span for people: in the largest unit in which it is at least 1, rounded to three decimals: `1.575 ms`.
std::string to_rounded_text(Duration span);
std::string to_rounded_text(SimTime time);
/// Returns the amount in the largest unit that divides it: `64 KiB`, `656384 B`.
std::string to_text(Bytes amount);
/// Returns the frequency: `1.35 GHz`.
std::string to_text(Hertz clock);
/// Returns the power: `350 W`.
std::string to_text(Power power);
/// Returns the bandwidth: `51.2 GB/s`.
std::string to_text(BytesPerSecond bandwidth);

}  // namespace gdsim
