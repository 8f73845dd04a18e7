#include <gdsim/page/html/html_work_tables.hpp>

#include <gdsim/page/html/group_data.hpp>
#include <gdsim/page/html/html_table.hpp>
#include <gdsim/page/html/launch_data.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace gdsim {
namespace {

constexpr std::size_t kMaxKernelRows = 200;
constexpr std::size_t kMaxHistograms = 20;
constexpr std::size_t kSlowestShown = 10;
constexpr std::size_t kLongestCellName = 100;

/// A time, and its picoseconds to sort by.
template <class Time>
Cell sortable_time(Time time) {
  Cell cell = time_cell(time);
  cell.value = std::to_string(time.count);
  return cell;
}

Duration mean_of(UInt128 sum, std::uint64_t count) {
  return {static_cast<std::int64_t>((2 * sum + count) / (2 * UInt128{count}))};
}

/// Sums that exceed 64 bits of picoseconds are written in seconds.
Cell sum_cell(UInt128 sum) {
  constexpr UInt128 max = std::numeric_limits<std::int64_t>::max();
  if (sum <= max) return sortable_time(Duration{static_cast<std::int64_t>(sum)});
  Cell cell(to_fixed({sum, 1'000'000'000'000U}, 0) + " s");
  cell.value = to_fixed({sum, 1}, 0);
  return cell;
}

Cell histogram_cell(const Histogram& histogram) {
  constexpr std::uint64_t width = 6, height = 28;
  const std::uint64_t most = *std::max_element(histogram.bins.begin(), histogram.bins.end());
  PathData bars;
  for (std::size_t i = 0; i < Histogram::kBins; ++i) {
    if (histogram.bins[i] == 0) continue;
    const std::uint64_t high = std::max<std::uint64_t>(histogram.bins[i] * height / most, 1);
    bars.box(i * width, height - high, i * width + width - 1, height);
  }
  Cell cell("");
  cell.markup = fmt::format(
      "<svg class=\"histogram\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} durations from {} to {}, half of "
      "them up to {}\">{}</svg>",
      width * Histogram::kBins, height, histogram.count, to_rounded_text(histogram.min), to_rounded_text(histogram.max),
      to_rounded_text(histogram.median), path_element("busy", bars));
  return cell;
}

void add_histogram(HtmlTable& table, const std::string& name, const Histogram& histogram) {
  Cell count(std::to_string(histogram.count));
  count.value = count.text;
  table.row({shortened(name, kLongestCellName), count, sortable_time(histogram.min), sortable_time(histogram.median),
             sortable_time(mean_of(histogram.sum, histogram.count)), sortable_time(histogram.p95),
             sortable_time(histogram.max), histogram_cell(histogram)});
}

struct SlowGroup {
  GroupLife life;
  std::size_t core = 0;
};

/// Work-groups that take longer than the median of their kernel, the longest first.
std::vector<SlowGroup> slowest(const std::vector<std::vector<GroupLife>>& lives, const KernelUses& uses,
                               const std::vector<Histogram>& durations) {
  std::vector<SlowGroup> found;
  for (std::size_t core = 0; core < lives.size(); ++core)
    for (const GroupLife& life : lives[core])
      if (life.has_ended && life.duration() > durations[uses.kernel_of[life.launch]].median)
        found.push_back({life, core});
  const auto rank = [](const SlowGroup& slow) {
    return std::tuple(-slow.life.duration().count, slow.life.launch, slow.life.group);
  };
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), kSlowestShown));
  std::partial_sort(found.begin(), end, found.end(),
                    [&](const SlowGroup& a, const SlowGroup& b) { return rank(a) < rank(b); });
  found.erase(end, found.end());
  return found;
}

/// Empty if no work-group takes longer than the median of its kernel.
std::string slowest_table(const RunView& view, const std::vector<std::vector<GroupLife>>& lives, const KernelUses& uses,
                          const std::vector<Histogram>& durations) {
  const std::vector<SlowGroup> found = slowest(lives, uses, durations);
  if (found.empty()) return {};
  const TimeScale time(view.record.first_dispatch, view.record.end);
  HtmlTable table("The " + view.terms.work_group + "s that take longest, among those above the median of their kernel",
                  {view.terms.work_group, "launch", view.terms.core, "start", "duration", "of its kernel's median"}, 2);
  for (const SlowGroup& slow : found) {
    const std::size_t kernel = uses.kernel_of[slow.life.launch];
    const auto median = static_cast<std::uint64_t>(durations[kernel].median.count);
    const auto duration = static_cast<std::uint64_t>(slow.life.duration().count);
    const std::string name = fmt::format("{} {}", view.terms.work_group, slow.life.group);
    table.row({std::to_string(slow.life.group), shortened(view.launches[slow.life.launch].name, kLongestCellName),
               std::to_string(slow.core), sortable_time(slow.life.begin), sortable_time(slow.life.duration()),
               median == 0 ? Cell("–") : Cell(to_fixed({UInt128{duration} * 100, median}, 0) + " %")},
              fmt::format(" data-from=\"{}\" data-to=\"{}\" data-name=\"{}\"", time.x(slow.life.begin),
                          time.x(slow.life.end), markup_text(name)));
  }
  return table.finish();
}

}  // namespace

std::string kernel_table(const RunView& view) {
  const KernelUses uses = kernel_uses(view);
  if (uses.kernels.empty()) return {};
  std::vector<std::size_t> rows(uses.kernels.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return uses.kernels[a].sum > uses.kernels[b].sum; });
  std::erase_if(rows, [&](std::size_t row) { return uses.kernels[row].is_remote; });
  const std::size_t count = rows.size();
  if (rows.size() > kMaxKernelRows) rows.resize(kMaxKernelRows);
  UInt128 all = 0;
  for (const KernelUse& kernel : uses.kernels) all += kernel.sum;
  HtmlTable table("Kernels and copies", {"kernel", "launches", "sum", "mean", "longest", "share"}, 1, "kernels");
  for (const std::size_t row : rows) {
    const KernelUse& kernel = uses.kernels[row];
    Cell launches(std::to_string(kernel.launches));
    launches.value = launches.text;
    Cell share(all == 0 ? "–" : to_fixed({kernel.sum * 100, all}, 1) + " %");
    share.value = to_fixed({kernel.sum, 1}, 0);
    const bool has_ended = kernel.ended > 0;
    table.row({shortened(kernel.name, kLongestCellName), launches, has_ended ? sum_cell(kernel.sum) : Cell("–"),
               has_ended ? sortable_time(mean_of(kernel.sum, kernel.ended)) : Cell("–"),
               has_ended ? sortable_time(kernel.longest) : Cell("–"), share},
              fmt::format(" data-kernel=\"{}\" data-work-groups=\"{}\"", row, kernel.work_groups));
  }
  std::string text = table.finish();
  if (count > rows.size())
    text += fmt::format("<p class=\"note\">The {} of {} kernels that take most.</p>\n", rows.size(), count);
  return text;
}

std::string group_tables(const RunView& view) {
  const auto lives = lives_by_core(view);
  const KernelUses uses = kernel_uses(view);
  std::vector<std::vector<Duration>> by_kernel(uses.kernels.size());
  for (const std::vector<GroupLife>& core : lives)
    for (const GroupLife& life : core)
      if (life.has_ended) by_kernel[uses.kernel_of[life.launch]].push_back(life.duration());
  std::vector<Histogram> durations;
  std::vector<std::size_t> rows;
  for (std::vector<Duration>& kernel : by_kernel) {
    durations.push_back(histogram_of(std::move(kernel)));
    if (durations.back().count > 0) rows.push_back(durations.size() - 1);
  }
  if (rows.empty()) return {};
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return durations[a].sum > durations[b].sum; });
  const std::size_t all = rows.size();
  rows.resize(std::min(all, kMaxHistograms));
  HtmlTable table("How long " + view.terms.work_group + "s take",
                  {"kernel", view.terms.work_group + "s", "min", "median", "mean", "95 %", "max", "min to max"}, 1,
                  "group-durations");
  for (const std::size_t row : rows) add_histogram(table, uses.kernels[row].name, durations[row]);
  const Histogram gaps = histogram_of(replacement_gaps(lives));
  if (gaps.count > 0) add_histogram(table, "gap until the next one takes its place", gaps);
  std::string text = table.finish();
  if (all > rows.size())
    text += fmt::format("<p class=\"note\">The {} of {} kernels whose {}s take most.</p>\n", rows.size(), all,
                        markup_text(view.terms.work_group));
  return text + slowest_table(view, lives, uses, durations);
}

}  // namespace gdsim
