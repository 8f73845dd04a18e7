#include <gdsim/base/quantity.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <concepts>
#include <limits>
#include <optional>

using namespace gdsim;

namespace {

template <class A, class B>
concept CanBeAdded = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept CanBeSubtracted = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept CanBeCompared = requires(A a, B b) {
  a == b;
  a < b;
};

}  // namespace

TEST_CASE("points in time and spans are not taken for each other, nor integers for either") {
  STATIC_REQUIRE(!std::convertible_to<SimTime, Duration>);
  STATIC_REQUIRE(!std::convertible_to<Duration, SimTime>);
  STATIC_REQUIRE(!std::convertible_to<std::int64_t, SimTime>);
  STATIC_REQUIRE(!std::convertible_to<std::int64_t, Duration>);
  STATIC_REQUIRE(!std::convertible_to<std::optional<Duration>, OptionalTime>);
  STATIC_REQUIRE(!CanBeAdded<SimTime, SimTime>);
  STATIC_REQUIRE(!CanBeSubtracted<Duration, SimTime>);
  STATIC_REQUIRE(CanBeCompared<SimTime, SimTime>);
  STATIC_REQUIRE(!CanBeCompared<SimTime, Duration>);
}

TEST_CASE("a span lies between two points in time") {
  const SimTime start{500};
  const Duration span{200};
  CHECK(start + span == SimTime{700});
  CHECK(start - span == SimTime{300});
  CHECK((start + span) - start == span);
  CHECK(start - (start + span) == Duration{-200});
  CHECK(since_start(start) == Duration{500});
}

TEST_CASE("a point in time is read and printed as the span since the start") {
  CHECK(parse_time("1.5 ns").value == SimTime{1500});
  CHECK(parse_time("1.5").problem == parse_duration("1.5").problem);
  CHECK(to_text(SimTime{1'250'000}) == "1.25 us");
  CHECK(to_rounded_text(SimTime{1'574'999'600}) == "1.575 ms");
}

TEST_CASE("an optional time takes no more room than a time, and may be none") {
  STATIC_REQUIRE(sizeof(OptionalTime) == sizeof(SimTime));
  OptionalTime time;
  CHECK(time == std::nullopt);
  CHECK(time.value_or(SimTime{7}) == SimTime{7});
  CHECK_THROWS_AS(time.value(), std::bad_optional_access);
  time = SimTime{0};
  CHECK(time == SimTime{0});
  CHECK(std::optional<SimTime>(time) == SimTime{0});
  time.reset();
  CHECK(!time.has_value());
}

TEST_CASE("times are read in every unit and kept in picoseconds") {
  CHECK(parse_duration("7 ps").value == Duration{7});
  CHECK(parse_duration("1.5 ns").value == Duration{1500});
  CHECK(parse_duration("10us").value == Duration{10'000'000});
  CHECK(parse_duration("20 ms").value == Duration{20'000'000'000});
  CHECK(parse_duration("2 s").value == Duration{2'000'000'000'000});
  CHECK(parse_duration("0.0005 ns").value == Duration{1});
  CHECK(parse_duration("0.0004 ns").value == Duration{0});
}

TEST_CASE("a quantity without its unit, or with a wrong one, is refused with a hint") {
  CHECK(parse_duration("10").problem == "has no unit; one of ps, ns, us, ms, s is needed");
  CHECK(parse_duration("10 min").problem == "has the unit 'min', not one of ps, ns, us, ms, s");
  CHECK(parse_duration("10 \xC2\xB5s").problem.ends_with("; write us"));
  CHECK(parse_bytes("64 KB").problem.ends_with("; write KiB (1024 B)"));
  CHECK(parse_bytes("64").problem.starts_with("has no unit"));
  CHECK(parse_duration("fast").problem.starts_with("is not a number with a unit"));
  CHECK(parse_duration("-3 ns").problem == "is negative");
  CHECK(parse_frequency("0 GHz").problem == "must be more than 0");
}

TEST_CASE("bytes and hertz are whole numbers") {
  CHECK(parse_bytes("0.5 KiB").value == Bytes{512});
  CHECK(parse_bytes("0.3 KiB").problem == "is not a whole number of bytes");
  CHECK(parse_frequency("1.35 GHz").value == Hertz{1'350'000'000});
  CHECK(parse_frequency("0.5 Hz").problem == "is not a whole number of hertz");
}

TEST_CASE("what leaves 64 bits is refused") {
  CHECK(parse_duration("9223372 s").value.has_value());
  CHECK(parse_duration("9223373 s").problem.starts_with("is too long"));
  CHECK(parse_step_time("9223373 s").problem.starts_with("is too long"));
  CHECK(parse_bytes("10000000000 GiB").problem.starts_with("is too large"));
  CHECK_THROWS_AS(Duration{INT64_MAX} + Duration{1}, TimeOverflowError);
  CHECK_THROWS_AS(SimTime{INT64_MAX} + Duration{1}, TimeOverflowError);
}

TEST_CASE("a step's time is exact until it is rounded once") {
  const auto resolved = [](std::string_view time, Hertz clock, const char* factor) {
    return resolve(*parse_step_time(time).value, clock, *parse_decimal(factor).value)->count;
  };
  CHECK(resolved("10 ms", {}, "0.8") == 8'000'000'000);
  CHECK(resolved("5000 cycles", Hertz{1'000'000'000}, "1") == 5'000'000);
  CHECK(resolved("1 cycles", Hertz{3'000'000'000}, "1") == 333);
  CHECK(resolved("1 cycle", Hertz{3'000'000'000}, "1") == 333);
  CHECK(resolved("3 cycles", Hertz{3'000'000'000}, "1") == 1000);
  CHECK(resolved("0.25 ps", {}, "2") == 1);
  CHECK(resolved("0.4 ps", {}, "1") == 0);
}

TEST_CASE("times and sizes are printed as a person would write them") {
  CHECK(to_text(Duration{20'000'000'000}) == "20 ms");
  CHECK(to_text(Duration{1'250'000}) == "1.25 us");
  CHECK(to_text(Duration{1'000'001}) == "1000.001 ns");
  CHECK(to_text(Duration{12}) == "12 ps");
  CHECK(to_text(Duration{0}) == "0 s");
  CHECK(to_text(Bytes{65536}) == "64 KiB");
  CHECK(to_text(Bytes{656384}) == "641 KiB");
  CHECK(to_text(Bytes{100}) == "100 B");
  CHECK(to_text(Hertz{1'350'000'000}) == "1.35 GHz");
}

TEST_CASE("printing and parsing a time gives the same time") {
  rc::prop("parse(print(t)) == t", [] {
    const Duration time{*rc::gen::inRange<std::int64_t>(0, INT64_MAX)};
    RC_ASSERT(parse_duration(to_text(time)).value == time);
  });
}

TEST_CASE("printing and parsing a size gives the same size") {
  rc::prop("parse(print(b)) == b", [] {
    const Bytes amount{*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 50)};
    RC_ASSERT(parse_bytes(to_text(amount)).value == amount);
  });
}

TEST_CASE("differences that leave 64 bits are refused like sums") {
  const Duration longest{std::numeric_limits<std::int64_t>::max()};
  const Duration shortest{std::numeric_limits<std::int64_t>::min()};
  CHECK_THROWS_AS(shortest - Duration{1}, TimeOverflowError);
  CHECK_THROWS_AS(longest - Duration{-1}, TimeOverflowError);
  CHECK_THROWS_AS(SimTime{shortest.count} - Duration{1}, TimeOverflowError);
  CHECK_THROWS_AS(SimTime{longest.count} - SimTime{-1}, TimeOverflowError);
  CHECK((longest - Duration{1}).count == longest.count - 1);
}

TEST_CASE("cycles have no length without a clock, unless there are none") {
  const StepTime five{Decimal::whole(5), StepTime::Unit::cycles};
  CHECK_FALSE(resolve(five, Hertz{0}, Decimal::whole(1)));
  CHECK_FALSE(resolve(five, Hertz{-1}, Decimal::whole(1)));
  CHECK(resolve({Decimal::whole(0), StepTime::Unit::cycles}, Hertz{0}, Decimal::whole(1)) == Duration{});
}

TEST_CASE("literals of time are spans of whole picoseconds, and the times of steps") {
  using namespace gdsim::literals;
  CHECK(7_ps == Duration{7});
  CHECK(7_ns == Duration{7'000});
  CHECK(5_us == Duration{5'000'000});
  CHECK(3_ms == Duration{3'000'000'000});
  CHECK(2_s == Duration{2'000'000'000'000});
  CHECK(SimTime{} + 5_us == SimTime{5'000'000});
  const StepTime step = 5_us;
  CHECK(resolve(step, Hertz{}, Decimal::whole(1)) == 5_us);
  CHECK_THROWS_AS(static_cast<StepTime>(Duration{-1}), TimeOverflowError);
  CHECK_THROWS_AS(detail::literal_time(10'000'000, kPicosecondsPerSecond), TimeOverflowError);
}
