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

/// Throws it. Thread-safe.
[[noreturn]] void raise_time_overflow();

/// A point in simulated time, or a span of it. Sums that leave 64 bits throw TimeOverflowError.
///
///     const gdsim::Picoseconds start = gdsim::parse_time("1.5 us").value.value();
///     std::cout << gdsim::to_text(start + gdsim::Picoseconds{500'000}) << '\n';  // 2 us
struct Picoseconds {
  std::int64_t count = 0;

  friend constexpr auto operator<=>(Picoseconds, Picoseconds) = default;
  friend constexpr Picoseconds operator+(Picoseconds a, Picoseconds b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.count, b.count, &sum)) [[unlikely]]
      raise_time_overflow();
    return {sum};
  }
  friend constexpr Picoseconds operator-(Picoseconds a, Picoseconds b) { return {a.count - b.count}; }
};

/// A time that is not negative, or nothing, in 8 bytes: for what is kept of each of a million launches. Otherwise like
/// std::optional<Picoseconds>, to which it converts.
class OptionalTime {
 public:
  constexpr OptionalTime() = default;
  constexpr OptionalTime(std::nullopt_t) {}                         // NOLINT: as std::optional
  constexpr OptionalTime(Picoseconds time) : time_(time) {}         // NOLINT: as std::optional
  constexpr OptionalTime(const std::optional<Picoseconds>& time) {  // NOLINT: as std::optional
    if (time) time_ = *time;
  }

  constexpr bool has_value() const { return time_ != kNothing; }
  constexpr explicit operator bool() const { return has_value(); }
  /// There is a time.
  constexpr const Picoseconds& operator*() const { return time_; }
  constexpr const Picoseconds* operator->() const { return &time_; }
  /// Throws std::bad_optional_access if there is none.
  constexpr Picoseconds value() const {
    if (!has_value()) throw std::bad_optional_access();
    return time_;
  }
  constexpr Picoseconds value_or(Picoseconds other) const { return has_value() ? time_ : other; }
  constexpr void reset() { time_ = kNothing; }
  constexpr operator std::optional<Picoseconds>() const {  // NOLINT: it is one
    return has_value() ? std::optional(time_) : std::nullopt;
  }

  friend constexpr bool operator==(const OptionalTime& a, const OptionalTime& b) { return a.time_ == b.time_; }
  friend constexpr bool operator==(const OptionalTime& a, std::nullopt_t) { return !a.has_value(); }
  friend constexpr bool operator==(const OptionalTime& a, Picoseconds b) { return a.time_ == b; }

 private:
  static constexpr Picoseconds kNothing{std::numeric_limits<std::int64_t>::min()};
  Picoseconds time_ = kNothing;
};

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
/// Nothing if it leaves 64 bits. Cycles require a clock above 0. Thread-safe.
std::optional<Picoseconds> resolve(const StepTime& time, Hertz clock, const Decimal& factor,
                                   const Decimal& more = Decimal::whole(1));

/// Either a quantity or, in words, why the text is none.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string problem;
};

/// `10 ms`, `0.5us`; units ps ns us ms s. Rounded to a picosecond, halves up. Thread-safe, as all that read or write
/// quantities as text.
Parsed<Picoseconds> parse_time(std::string_view text);
/// As parse_time, kept exact, or `5000 cycles`, `1 cycle`.
Parsed<StepTime> parse_step_time(std::string_view text);
/// `64 KiB`; units B KiB MiB GiB; a whole number of bytes.
Parsed<Bytes> parse_bytes(std::string_view text);
/// `1.35 GHz`; units Hz kHz MHz GHz; a whole number of hertz above 0.
Parsed<Hertz> parse_frequency(std::string_view text);
/// `51.2 GB/s`; units B/s kB/s MB/s GB/s TB/s, powers of 1000; a whole number of bytes per second above 0.
Parsed<BytesPerSecond> parse_bandwidth(std::string_view text);

/// In the largest unit that needs no more than three decimals: `20 ms`, `1.25 us`; nothing is `0 s`.
std::string to_text(Picoseconds time);
/// For a person: in the largest unit that makes it at least 1, rounded to three decimals: `1.575 ms`.
std::string to_rounded_text(Picoseconds time);
/// In the largest unit that divides it: `64 KiB`, `656384 B`.
std::string to_text(Bytes amount);
/// `1.35 GHz`.
std::string to_text(Hertz clock);
/// `51.2 GB/s`.
std::string to_text(BytesPerSecond bandwidth);

}  // namespace gdsim
