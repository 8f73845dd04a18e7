#include "occupancy/occupancy_answer.hpp"

#include <gdsim/analysis/words.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gdsim::cli {
namespace {

std::string vendor_text(const VendorValue& value) {
  return to_fixed(value.value, value.definition == VendorOccupancy::waves_per_engine ? 0 : 4);
}

}  // namespace

std::string_view name_of(FitStatus status) {
  switch (status) {
    case FitStatus::ok: return "ok";
    case FitStatus::refused: return "refused";
    case FitStatus::does_not_fit: return "does_not_fit";
  }
  return {};
}

std::string limiters_text(const std::vector<Resource>& limiters) {
  std::string text;
  for (const Resource limiter : limiters) text += (text.empty() ? "" : "+") + std::string(gdsim::name_of(limiter));
  return text;
}

ResultColumns<Occupancy> answer_columns(AnswerClusters clusters) {
  using Row = Occupancy;
  ResultColumns<Row> columns{
      {"status", "", [](const Row& row) { return name_of(row.status); }},
      {"threads_per_work_group", "", [](const Row& row) { return row.threads_per_work_group; }},
      {"work_groups_per_core", "", [](const Row& row) { return row.work_groups_per_core; }},
      {"threads_per_core", "", [](const Row& row) { return row.threads_per_core; }},
      {"occupancy_percent", "", [](const Row& row) { return row.percent; }},
      {"limiters", "", [](const Row& row) { return ResultValue(limiters_text(row.limiters)); }},
      {"vendor_value", "", [](const Row& row) { return row.vendor_value ? vendor_text(*row.vendor_value) : ""; }},
      {"allocated_registers", "", [](const Row& row) { return row.allocated_registers; }},
      {"allocated_slm_bytes", "", [](const Row& row) { return row.allocated_slm.count; }}};
  if (clusters == AnswerClusters::yes)
    columns.add({"active_clusters", "", [](const Row& row) { return row.active_clusters; }});
  return columns;
}

namespace {

constexpr std::size_t kPlotWidth = 64;
constexpr std::size_t kPlotHeight = 12;

std::string_view column_of(Varied varied) {
  constexpr std::array<std::string_view, 3> names{"local", "registers", "slm_bytes"};
  return names[static_cast<std::size_t>(varied)];
}

CurvePoint curve_point(const Kernel& kernel, const DeviceSpec& device, std::uint64_t value) {
  const Occupancy occupancy = occupancy_of(kernel, device, GlobalSize::any);
  return {value, occupancy.work_groups_per_core, occupancy.threads_per_core, occupancy.percent, occupancy.limiters};
}

/// `first`, `first + step`, ... up to `last`.
std::vector<std::uint64_t> values_in_steps(std::uint64_t first, std::uint64_t last, std::uint64_t step, Varied varied) {
  if (first > last) return {};
  const std::uint64_t count = (last - first) / step + 1;
  if (count > kMaxCurvePoints)
    throw InputError(fmt::format("--vary: the curve over {} has {} points; at most {} are allowed", column_of(varied),
                                 count, kMaxCurvePoints));
  std::vector<std::uint64_t> values;
  values.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(first + i * step);
  return values;
}

std::vector<std::uint64_t> local_sizes(const Kernel& kernel, const DeviceSpec& device) {
  return values_in_steps(kernel.sub_group, device.max_work_group_size, kernel.sub_group, Varied::local);
}

/// A work-item without a limit of its own can use all registers of its thread's file.
std::vector<std::uint64_t> register_counts(const Kernel& kernel, const DeviceSpec& device) {
  if (!device.registers) return {};
  const std::uint64_t max = device.registers->per_work_item.value_or(device.registers->per_engine / kernel.sub_group);
  return values_in_steps(1, max, 1, Varied::registers);
}

std::vector<std::uint64_t> slm_amounts(const DeviceSpec& device) {
  const SlmRule& slm = device.slm;
  std::vector<std::uint64_t> values;
  for (const Bytes size : slm.sizes)
    if (size <= slm.per_work_group) values.push_back(static_cast<std::uint64_t>(size.count));
  if (!values.empty()) return values;
  const auto step = static_cast<std::uint64_t>(std::max<std::int64_t>(slm.granule.count, 128));
  return values_in_steps(0, static_cast<std::uint64_t>(slm.per_work_group.count), step, Varied::slm);
}

Kernel varied_kernel(Kernel kernel, Varied varied, std::uint64_t value) {
  switch (varied) {
    case Varied::local:
      kernel.range.local = {1, 1, value};
      kernel.range.global = kernel.range.local;
      break;
    case Varied::registers: kernel.needs.registers = static_cast<std::uint32_t>(value); break;
    case Varied::slm: kernel.needs.slm.total = Bytes{static_cast<std::int64_t>(value)}; break;
  }
  return kernel;
}

bool have_same_answer(const CurvePoint& a, const CurvePoint& b) {
  return a.work_groups == b.work_groups && a.threads == b.threads && a.limiters == b.limiters;
}

/// The point that a column of the plot shows.
const CurvePoint& point_of_column(const std::vector<CurvePoint>& curve, std::size_t column, std::size_t width) {
  return curve[width <= 1 ? 0 : column * (curve.size() - 1) / (width - 1)];
}

/// `warps, shared memory`.
std::string limiter_words(const std::vector<Resource>& limiters, const Terms& terms) {
  std::string text;
  for (const Resource limiter : limiters) text += (text.empty() ? "" : ", ") + words_for(limiter, terms);
  return text;
}

}  // namespace

std::vector<CurvePoint> occupancy_curve(const Kernel& kernel, const DeviceSpec& device, Varied varied) {
  const auto values = varied == Varied::local       ? local_sizes(kernel, device)
                      : varied == Varied::registers ? register_counts(kernel, device)
                                                    : slm_amounts(device);
  std::vector<CurvePoint> curve;
  for (const std::uint64_t value : values)
    curve.push_back(curve_point(varied_kernel(kernel, varied, value), device, value));
  return curve;
}

namespace {

ResultColumns<CurvePoint> curve_columns(std::string_view varied) {
  using Row = CurvePoint;
  return {{std::string(varied), "", [](const Row& point) { return point.value; }},
          {"work_groups_per_core", "", [](const Row& point) { return point.work_groups; }},
          {"threads_per_core", "", [](const Row& point) { return point.threads; }},
          {"occupancy_percent", "", [](const Row& point) { return point.percent; }},
          {"limiters", "", [](const Row& point) { return ResultValue(limiters_text(point.limiters)); }}};
}

}  // namespace

void write_curve_csv(const std::vector<CurvePoint>& curve, Varied varied, Sink& sink) {
  curve_columns(column_of(varied)).write_csv(curve, sink);
}

std::string curve_json(const std::vector<CurvePoint>& curve, Varied varied) {
  JsonWriter json;
  json.open_object();
  json.key("varied").text(column_of(varied));
  json.key("points");
  curve_columns("value").write_list(curve, ResultColumns<CurvePoint>::Missing::null, json);
  json.key("schema_version").count(1);
  json.close_object();
  return json.finish();
}

std::string curve_text(const std::vector<CurvePoint>& curve, Varied varied, const Terms& terms) {
  std::string text = fmt::format("{:>19}  {:>11}  {:>7}  {:>9}  {}\n", column_of(varied), terms.work_group + "s",
                                 terms.thread + "s", "occupancy", "limited by");
  for (std::size_t i = 0; i < curve.size();) {
    std::size_t last = i;
    while (last + 1 < curve.size() && have_same_answer(curve[last + 1], curve[i])) ++last;
    const std::string range =
        last == i ? std::to_string(curve[i].value) : fmt::format("{} to {}", curve[i].value, curve[last].value);
    text += fmt::format("{:>19}  {:>11}  {:>7}  {:>7} %  {}\n", range, curve[i].work_groups, curve[i].threads,
                        to_fixed(curve[i].percent, 1), limiter_words(curve[i].limiters, terms));
    i = last + 1;
  }
  return text;
}

std::string curve_plot(const std::vector<CurvePoint>& curve, Varied varied) {
  if (curve.empty()) return {};
  const std::size_t width = std::min(kPlotWidth, curve.size());
  std::string text;
  for (std::size_t row = kPlotHeight; row-- > 0;) {
    text += row + 1 == kPlotHeight ? "100 % |" : row + 1 == kPlotHeight / 2 ? " 50 % |" : "      |";
    for (std::size_t column = 0; column < width; ++column) {
      const CurvePoint& p = point_of_column(curve, column, width);
      // A cell is filled if the occupancy reaches above its lower half.
      const bool filled = p.percent.numerator * (2 * kPlotHeight) > p.percent.denominator * (100 * (2 * row + 1));
      text.push_back(filled ? '#' : ' ');
    }
    while (text.back() == ' ') text.pop_back();
    text.push_back('\n');
  }
  const std::string first = std::to_string(curve.front().value);
  const std::string last = std::to_string(curve.back().value);
  const std::size_t gap = width > first.size() + last.size() ? width - first.size() - last.size() : 1;
  return text + "  0 % +" + std::string(width, '-') + "\n       " + first + std::string(gap, ' ') + last + "  " +
         std::string(column_of(varied)) + "\n";
}

}  // namespace gdsim::cli
