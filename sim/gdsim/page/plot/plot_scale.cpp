#include <gdsim/page/plot/plot_scale.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/report/number_format.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace gdsim {

PathData& PathData::move(std::uint64_t x, std::uint64_t y) {
  text_.push_back('M');
  append_count(text_, x);
  text_.push_back(' ');
  append_count(text_, y);
  return *this;
}

PathData& PathData::across(std::uint64_t x) {
  text_.push_back('H');
  append_count(text_, x);
  return *this;
}

PathData& PathData::down(std::uint64_t y) {
  text_.push_back('V');
  append_count(text_, y);
  return *this;
}

PathData& PathData::line(std::uint64_t x, std::uint64_t y) {
  text_.push_back('L');
  append_count(text_, x);
  text_.push_back(' ');
  append_count(text_, y);
  return *this;
}

PathData& PathData::torn_edge(std::uint64_t right, std::uint64_t top, std::uint64_t bottom) {
  constexpr std::uint64_t teeth = 4;
  constexpr std::uint64_t depth = kPlotWidth / 160;
  move(right, top);
  for (std::uint64_t i = 1; i <= teeth; ++i)
    line(i % 2 == 1 ? right - std::min(depth, right) : right, top + (bottom - top) * i / teeth);
  return *this;
}

PathData& PathData::close() {
  text_.push_back('Z');
  return *this;
}

PathData& PathData::box(std::uint64_t left, std::uint64_t top, std::uint64_t right, std::uint64_t bottom) {
  return move(left, top).across(right).down(bottom).across(left).close();
}

std::string path_element(std::string_view name, const PathData& data) {
  if (data.empty()) return {};
  return "<path class=\"" + std::string(name) + "\" d=\"" + data.text() + "\"/>";
}

namespace {

/// The smallest of 1, 2, 5, 10, 20, ... that divides `span` into at most `max` parts.
std::int64_t round_step(std::int64_t span, std::int64_t max) {
  for (std::int64_t power = 1;; power *= 10)
    for (const std::int64_t factor : {1, 2, 5}) {
      const Int128 step = Int128{power} * factor;
      if (step * max >= span || step > span) return static_cast<std::int64_t>(step);
    }
}

/// Writes the times of one axis in the same unit and with the same decimals.
class AxisLabels {
 public:
  /// Times are multiples of `step`; `last` is the maximum.
  AxisLabels(SimTime last, std::int64_t step) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> units{
        {{"s", 1'000'000'000'000}, {"ms", 1'000'000'000}, {"us", 1'000'000}, {"ns", 1'000}, {"ps", 1}}};
    const auto unit =
        std::find_if(units.begin(), units.end() - 1, [&](const auto& u) { return last.count >= u.second; });
    name_ = unit->first;
    size_ = unit->second;
    for (std::int64_t part = size_; step % part != 0; part /= 10) ++decimals_;
  }

  std::string label_of(SimTime time) const {
    const Ratio value{static_cast<UInt128>(time.count), static_cast<UInt128>(size_)};
    return to_fixed(value, time.count == 0 ? 0 : decimals_) + " " + std::string(name_);
  }

 private:
  std::string_view name_;
  std::int64_t size_ = 1;
  int decimals_ = 0;
};

}  // namespace

TimeScale::TimeScale(SimTime start, SimTime end) : start_(start), end_(end) {
  GDSIM_CHECK(start < end, "a time scale needs some time");
}

std::uint64_t TimeScale::x(SimTime time) const {
  const auto span = static_cast<UInt128>((end_ - start_).count);
  const auto passed = static_cast<UInt128>((time - start_).count);
  return static_cast<std::uint64_t>((2 * passed * kPlotWidth + span) / (2 * span));
}

std::vector<Tick> TimeScale::ticks(std::size_t max) const {
  const std::int64_t step = round_step((end_ - start_).count, static_cast<std::int64_t>(max));
  constexpr std::size_t longest_of_many = 11;
  const AxisLabels labels(SimTime{end_.count / step * step}, step);
  std::vector<Tick> found;
  Int128 at = (Int128{start_.count} + step - 1) / step * step;
  for (; at <= end_.count; at += step) {
    const SimTime time{static_cast<std::int64_t>(at)};
    found.push_back({x(time), labels.label_of(time)});
  }
  if (max > 4 && !found.empty() && found.back().label.size() > longest_of_many) return ticks(max / 2);
  return found;
}

std::uint64_t ThreadScale::y_of_mean(UInt128 integral, Duration time) const {
  const auto span = static_cast<UInt128>(time.count);
  return height() - static_cast<std::uint64_t>((2 * integral * factor_ + span) / (2 * span));
}

namespace {

/// The maximum number of threads that a figure of the run shows.
std::uint64_t max_drawn(const RunView& view) {
  std::uint64_t threads = std::max(view.record.peak_resident, view.axis_at_least);
  for (const BandRow& band : view.bands) {
    const UInt128 drawn = UInt128{band.percent[BandRow::max]} * view.record.contexts_total;
    const UInt128 whole = UInt128{100} * BandRow::kPerPercent;
    threads = std::max(threads, static_cast<std::uint64_t>((drawn + whole - 1) / whole));
  }
  return threads;
}

}  // namespace

ThreadAxis fitted_axis(const RunView& view) {
  const std::uint64_t contexts = view.record.contexts_total;
  const std::uint64_t drawn = max_drawn(view);
  ThreadAxis axis{contexts, Decimal::whole(100)};
  if (drawn == 0) return axis;
  constexpr std::array<std::uint64_t, 3> digits{20, 10, 5};
  UInt128 parts = 100;  // parts in the whole device
  for (int exponent = 0; exponent >= -6; --exponent, parts *= 10)
    for (const std::uint64_t digit : digits) {
      const auto top = static_cast<std::uint64_t>((UInt128{contexts} * digit + parts - 1) / parts);
      if (UInt128{contexts} * digit < drawn * parts) return axis;
      axis = {top, Decimal{digit, exponent}};
    }
  return axis;
}

ThreadAxis thread_axis(const RunView& view) {
  if (view.scale == FigureScale::fits) return fitted_axis(view);
  return {view.record.contexts_total, Decimal::whole(100)};
}

}  // namespace gdsim
