#include <gdsim/compare/measured_alignment.hpp>

#include <algorithm>
#include <iterator>

namespace gdsim {
namespace {

/// Throws InputError unless the end of the last sample, aligned with the run's begin, fits 64-bit picoseconds.
void require_end(const MeasuredSample& last, Duration whole, const RunView& view, Stretch stretch) {
  std::int64_t end = 0;
  if (stretch == Stretch::yes || !__builtin_add_overflow(view.record.first_dispatch.count, whole.count, &end)) return;
  Diagnostics problems;
  problems.add(last.mark, "the measured time of " + to_text(whole) + ", begun with the run at " +
                              to_text(view.record.first_dispatch) +
                              ", ends beyond 64-bit picoseconds (9,223,372 s); --stretch makes it as long as the run");
  problems.throw_if_any();
}

}  // namespace

MeasuredOccupancy align(const MeasuredFile& file, const RunView& view, Stretch stretch) {
  const auto is_busy = [](const MeasuredSpan& span) { return span.occupancy > 0; };
  const auto begin = std::find_if(file.begin(), file.end(), is_busy);
  if (begin == file.end()) throw InputError("the measured occupancy is 0 throughout: there is nothing to compare");
  const auto end = std::find_if(file.rbegin(), file.rend(), is_busy).base();
  const Duration whole = std::prev(end)->end - begin->begin;
  require_end(*std::prev(end), whole, view, stretch);
  const auto aligned = [&](SimTime time) {
    const Duration passed = time - begin->begin;
    if (stretch == Stretch::no) return view.record.first_dispatch + passed;
    const Int128 simulated = view.record.active().count;
    return view.record.first_dispatch + Duration{static_cast<std::int64_t>(
                                            (2 * simulated * passed.count + whole.count) / (Int128{2} * whole.count))};
  };
  MeasuredOccupancy measured;
  for (auto span = begin; span != end; ++span)
    measured.spans.push_back({aligned(span->begin), aligned(span->end), span->occupancy});
  return measured;
}

}  // namespace gdsim
