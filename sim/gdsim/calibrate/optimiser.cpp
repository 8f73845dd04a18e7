#include <gdsim/base/check.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/calibrate/time_model.hpp>

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <optional>

namespace gdsim {
namespace {

struct Destroy {
  void operator()(nlopt_opt_s* opt) const { nlopt_destroy(opt); }
};

/// The context passed through the C interface, and the best point so far.
struct Search {
  const Objective& objective;
  nlopt_opt opt = nullptr;
  Place best;
  std::optional<double> least;
  std::exception_ptr thrown;
};

double evaluate(unsigned count, const double* coordinates, double*, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (search.thrown) return 0;
  try {
    const Place here(coordinates, coordinates + count);
    const double value = search.objective(here);
    if (!search.least || value < *search.least) {
      search.least = value;
      search.best = here;
    }
    return value;
  } catch (...) {  // an exception must not propagate through C
    search.thrown = std::current_exception();
    nlopt_force_stop(search.opt);
    return 0;
  }
}

Place run(nlopt_algorithm algorithm, const Objective& objective, Place start, std::size_t evaluations) {
  constexpr double smallest_step = 1e-6;
  const std::unique_ptr<nlopt_opt_s, Destroy> opt(nlopt_create(algorithm, static_cast<unsigned>(start.size())));
  GDSIM_CHECK(opt != nullptr, "NLopt has no memory");
  Search search{objective, opt.get(), start, {}, {}};
  nlopt_set_lower_bounds1(opt.get(), 0);
  nlopt_set_upper_bounds1(opt.get(), 1);
  nlopt_set_min_objective(opt.get(), evaluate, &search);
  nlopt_set_maxeval(opt.get(), static_cast<int>(evaluations));
  nlopt_set_xtol_abs1(opt.get(), smallest_step);
  double value = 0;
  nlopt_optimize(opt.get(), start.data(), &value);
  if (search.thrown) std::rethrow_exception(search.thrown);
  return search.best;
}

}  // namespace

Place search_everywhere(const Objective& objective, std::size_t dimensions, std::size_t evaluations) {
  return run(NLOPT_GN_DIRECT_L, objective, Place(dimensions, 0.5), evaluations);
}

Place search_nearby(const Objective& objective, const Place& start, std::size_t evaluations) {
  return run(NLOPT_LN_SBPLX, objective, start, evaluations);
}

namespace {

constexpr int kMaxDecimals = 9;
/// The optimizer represents steps as doubles.
constexpr std::int64_t kMaxSteps = std::int64_t{1} << 50;

struct Bound {
  Decimal number;
  int decimals = 0;
  std::string unit;
};

/// `0.5 us`, `64`, `1e3`: a number and the unit after it.
std::optional<Bound> read_bound(std::string_view text) {
  const std::string_view trimmed_text = trimmed(text);
  const std::size_t end = std::min(trimmed_text.find_first_not_of("0123456789."), trimmed_text.size());
  const std::string_view digits = trimmed_text.substr(0, end);
  const Parsed<Decimal> number = parse_decimal(digits);
  if (!number.value) return std::nullopt;
  const std::size_t point = digits.find('.');
  Bound bound{*number.value, 0, std::string(trimmed_text.substr(end))};
  if (point != std::string_view::npos) bound.decimals = static_cast<int>(digits.size() - point - 1);
  return bound;
}

std::optional<std::int64_t> steps_of_number(const Decimal& number, int decimals) {
  Decimal scaled = number;
  scaled.exponent += decimals;
  return round_product({scaled});
}

[[noreturn]] void fail(std::string_view text, const std::string& message) {
  throw InputError("--fit " + in_quotes(text) + " " + message +
                   "; write it as in device.memory.in_flight='64 B..512 B', with as many decimals as are to be fitted");
}

}  // namespace

std::string FitRange::text(std::int64_t steps) const {
  std::string digits = std::to_string(steps);
  if (decimals == 0) return digits + unit;
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, ".");
  while (digits.ends_with('0')) digits.pop_back();
  if (digits.ends_with('.')) digits.pop_back();
  return digits + unit;
}

std::int64_t FitRange::steps_of(std::string_view text) const {
  const auto bound = read_bound(text);
  if (!bound || trimmed(bound->unit) != trimmed(unit)) return low - 1;
  const auto steps = steps_of_number(bound->number, decimals);
  return steps && low <= *steps && *steps <= high ? *steps : low - 1;
}

std::int64_t FitRange::at(double fraction) const {
  const double from = static_cast<double>(low);
  const double to = static_cast<double>(high);
  const bool by_factors = low > 0 && high / 10 >= low;
  const double value = by_factors ? from * std::pow(to / from, fraction) : from + (to - from) * fraction;
  return std::clamp(static_cast<std::int64_t>(std::llround(value)), low, high);
}

double FitRange::place_of(std::int64_t steps) const {
  const double from = static_cast<double>(low);
  const double to = static_cast<double>(high);
  const bool by_factors = low > 0 && high / 10 >= low;
  const double value = static_cast<double>(steps);
  const double fraction = by_factors ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
  return std::clamp(fraction, 0.0, 1.0);
}

FitRange parse_fit_range(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::size_t dots = text.find("..", equals == std::string_view::npos ? 0 : equals);
  if (equals == std::string_view::npos || equals == 0 || dots == std::string_view::npos)
    fail(text, "is no PATH=LOW..HIGH");
  const auto low = read_bound(text.substr(equals + 1, dots - equals - 1));
  const auto high = read_bound(text.substr(dots + 2));
  if (!low || !high) fail(text, "has no number below or above `..`");
  if (!low->unit.empty() && trimmed(low->unit) != trimmed(high->unit)) fail(text, "has two units");
  FitRange range;
  range.path = std::string(text.substr(0, equals));
  range.unit = high->unit;
  range.decimals = std::max(low->decimals, high->decimals);
  if (range.decimals > kMaxDecimals) fail(text, "has more than 9 decimals");
  const auto from = steps_of_number(low->number, range.decimals);
  const auto to = steps_of_number(high->number, range.decimals);
  if (!from || !to || *to > kMaxSteps) fail(text, "is too large a number, or has too many decimals");
  if (*from >= *to) fail(text, "does not rise from LOW to HIGH");
  range.low = *from;
  range.high = *to;
  return range;
}

}  // namespace gdsim
