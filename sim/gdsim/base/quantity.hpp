#pragma once

#include <gdsim/base/decimal.hpp>

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gdsim {

/// Simulated time left the range of 64-bit picoseconds (about 106 days).
class TimeOverflowError : public std::runtime_error {
 public:
  TimeOverflowError();
};

/// Throws a TimeOverflowError. Thread-safe.
[[noreturn]] void raise_time_overflow();

inline constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;

/// A span of simulated time, such as a latency or an interval. It is a whole number of picoseconds and may be negative.
/// Sums and differences that leave 64 bits throw TimeOverflowError.
struct Duration {
  std::int64_t count = 0;

  friend constexpr auto operator<=>(Duration, Duration) = default;
  friend constexpr Duration operator+(Duration a, Duration b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.count, b.count, &sum)) [[unlikely]]
      raise_time_overflow();
    return {sum};
  }
  friend constexpr Duration operator-(Duration a, Duration b) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a.count, b.count, &difference)) [[unlikely]]
      raise_time_overflow();
    return {difference};
  }
};

/// `once` x `count`. Throws TimeOverflowError.
Duration times(Duration once, std::uint64_t count);

/// A point in simulated time: a whole number of picoseconds after `SimTime{}`, when the simulated host begins. A point
/// plus or minus a Duration is a point; the difference of two points is a Duration. Sums and differences that leave 64
/// bits throw TimeOverflowError.
///
///     const gdsim::Duration step = gdsim::parse_time("1.5 us").value.value();
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

/// The Duration from `SimTime{}` to `time`. Thread-safe.
constexpr Duration since_start(SimTime time) { return time - SimTime{}; }

/// A SimTime or a Duration, or nothing, in 8 bytes, for values kept for each of a million launches. The minimum of 64
/// bits stands for nothing. Otherwise like std::optional<T>, to which it converts.
template <class T>
class CompactOptional {
 public:
  constexpr CompactOptional() = default;
  constexpr CompactOptional(std::nullopt_t) {}                // NOLINT: as std::optional
  constexpr CompactOptional(T value) : value_(value) {}       // NOLINT: as std::optional
  constexpr CompactOptional(const std::optional<T>& value) {  // NOLINT: as std::optional
    if (value) value_ = *value;
  }

  constexpr bool has_value() const { return value_ != kNothing; }
  constexpr explicit operator bool() const { return has_value(); }
  /// Requires a value.
  constexpr const T& operator*() const { return value_; }
  constexpr const T* operator->() const { return &value_; }
  /// Throws std::bad_optional_access if there is none.
  constexpr T value() const {
    if (!has_value()) throw std::bad_optional_access();
    return value_;
  }
  constexpr T value_or(T other) const { return has_value() ? value_ : other; }
  constexpr void reset() { value_ = kNothing; }
  constexpr operator std::optional<T>() const {  // NOLINT: it is one
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

/// An amount of memory.
struct Bytes {
  std::int64_t count = 0;

  friend constexpr auto operator<=>(Bytes, Bytes) = default;
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }
};

/// A clock.
struct Hertz {
  std::int64_t count = 0;
  friend constexpr auto operator<=>(Hertz, Hertz) = default;
};

/// A clock that is in force from a point in time on.
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

/// How long a step of a program takes, as written: an exact time or clock cycles of the device.
struct StepTime {
  enum class Unit : std::uint8_t { picoseconds, cycles };
  Decimal amount;
  Unit unit = Unit::picoseconds;
};

/// `time` x `factor` x `more` on a device with `clock`, rounded once to a picosecond, halves up.
/// Nothing if it leaves 64 bits, or if cycles are counted and the clock is not above 0. Thread-safe.
std::optional<Duration> resolve(const StepTime& time, Hertz clock, const Decimal& factor,
                                const Decimal& more = Decimal::whole(1));

/// `time` x `times` x `factor` x `more`, as resolve(), but rounded up. Thread-safe.
std::optional<Duration> resolve_up(const StepTime& time, std::uint64_t times, Hertz clock, const Decimal& factor,
                                   const Decimal& more);

/// Either a quantity, or the reason in words why the text is not one.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string problem;
};

/// `10 ms`, `0.5us`; units ps ns us ms s. Rounded to a picosecond, halves up. Thread-safe, as are all functions that
/// read or write quantities as text.
Parsed<Duration> parse_time(std::string_view text);
/// The point in time that lies the given span after the start: as parse_time().
Parsed<SimTime> parse_sim_time(std::string_view text);
/// As parse_time(), but exact; also `5000 cycles`, `1 cycle`.
Parsed<StepTime> parse_step_time(std::string_view text);
/// `64 KiB`; units B KiB MiB GiB; a whole number of bytes.
Parsed<Bytes> parse_bytes(std::string_view text);
/// `1.35 GHz`; units Hz kHz MHz GHz; a whole number of hertz above 0.
Parsed<Hertz> parse_frequency(std::string_view text);
/// `350 W`, `9.2 mW`; units uW mW W kW MW; a whole number of microwatts.
Parsed<Power> parse_power(std::string_view text);
/// `51.2 GB/s`; units B/s kB/s MB/s GB/s TB/s, powers of 1000; a whole number of bytes per second above 0.
Parsed<BytesPerSecond> parse_bandwidth(std::string_view text);

/// In the largest unit that needs no more than three decimals: `20 ms`, `1.25 us`; zero is `0 s`.
std::string to_text(Duration span);
/// The span from the start to `time`.
std::string to_text(SimTime time);
/// For a person: in the largest unit that makes it at least 1, rounded to three decimals: `1.575 ms`.
std::string to_rounded_text(Duration span);
std::string to_rounded_text(SimTime time);
/// In the largest unit that divides it: `64 KiB`, `656384 B`.
std::string to_text(Bytes amount);
/// `1.35 GHz`.
std::string to_text(Hertz clock);
/// `350 W`.
std::string to_text(Power power);
/// `51.2 GB/s`.
std::string to_text(BytesPerSecond bandwidth);

}  // namespace gdsim
