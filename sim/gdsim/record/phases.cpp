#include <gdsim/record/phases.hpp>

#include <gdsim/record/segment.hpp>

#include <algorithm>

namespace gdsim {

PhaseDetector::PhaseDetector(const MinPhase& min_phase) : min_phase_(min_phase) {}

bool PhaseDetector::is_short(Picoseconds duration, Picoseconds whole) const {
  if (min_phase_.time) return duration < *min_phase_.time;
  return static_cast<UInt128>(duration.count) * min_phase_.share_of_run.denominator <
         static_cast<UInt128>(whole.count) * min_phase_.share_of_run.numerator;
}

void PhaseDetector::account_until(Picoseconds time) {
  open_->running_time += Int128{running_} * (time - accounted_).count;
  accounted_ = time;
}

void PhaseDetector::state(Picoseconds time, const DeviceCounts& counts) {
  if (open_) {
    account_until(time);
  } else {
    first_ = accounted_ = time;
  }
  if (!open_ || open_->resident != counts.resident.threads) {
    if (open_) close_interval(time);
    open_ = Phase{time, time, counts.resident.threads, 0, counts.cores_busy};
  }
  open_->cores_busy = std::max(open_->cores_busy, counts.cores_busy);
  running_ = counts.resident.running;
}

void PhaseDetector::close_interval(Picoseconds end) {
  open_->end = end;
  const Piece piece{*open_, open_->resident, open_->resident, is_short(open_->duration(), end - first_)};
  if (!piece.is_short || pieces_.empty() || !pieces_.back().is_short) {
    pieces_.push_back(piece);
    return;
  }
  Piece& last = pieces_.back();
  last.span.end = end;
  last.span.running_time += piece.span.running_time;
  last.span.cores_busy = std::max(last.span.cores_busy, piece.span.cores_busy);
  last.fewest_resident = std::min(last.fewest_resident, piece.fewest_resident);
  last.most_resident = std::max(last.most_resident, piece.most_resident);
}

PhaseDetector::Mark PhaseDetector::mark() const {
  return {open_, accounted_, pieces_.size(), pieces_.empty() ? Int128{0} : pieces_.back().span.running_time};
}

/// What was short against the time elapsed by then is so ever after: it all goes into the last piece.
bool PhaseDetector::pass(const Mark& mark, std::uint64_t count, Picoseconds period) {
  if (!open_ || !mark.open || pieces_.size() != mark.pieces) return false;
  if (accounted_ == mark.accounted) return true;  // no state was told
  const Picoseconds passed = times(period, count);
  const Int128 repetitions = static_cast<Int128>(count);
  accounted_ = accounted_ + passed;
  if (open_->start == mark.open->start) {
    open_->running_time += repetitions * (open_->running_time - mark.open->running_time);
    return true;
  }
  open_->start = open_->start + passed;
  Phase& last = pieces_.back().span;
  last.end = last.end + passed;
  last.running_time += repetitions * (last.running_time - mark.last_running_time);
  return true;
}

namespace {

/// Continues `phase` over all that lies between it and the end of `next`, which has the same residents.
void extend(Phase& phase, const Phase& next) {
  phase.end = next.end;
  phase.running_time += next.running_time;
  phase.cores_busy = std::max(phase.cores_busy, next.cores_busy);
}

}  // namespace

PhaseList PhaseDetector::finish(Picoseconds end) {
  PhaseList list;
  if (!open_) return list;
  if (end > open_->start) {
    account_until(end);
    close_interval(end);
  }
  // What lies between the last phase and here, in case the next phase continues that one.
  Phase between;
  bool after_short = false;
  for (const Piece& piece : pieces_) {
    if (piece.is_short || is_short(piece.span.duration(), end - first_)) {
      if (after_short) {
        Transition& last = list.transitions.back();
        last.end = piece.span.end;
        last.fewest_resident = std::min(last.fewest_resident, piece.fewest_resident);
        last.most_resident = std::max(last.most_resident, piece.most_resident);
      } else {
        list.transitions.push_back({piece.span.start, piece.span.end, piece.fewest_resident, piece.most_resident});
      }
      extend(between, piece.span);
      after_short = true;
      continue;
    }
    if (!list.phases.empty() && list.phases.back().resident == piece.span.resident) {
      extend(list.phases.back(), between);
      extend(list.phases.back(), piece.span);
    } else {
      list.phases.push_back(piece.span);
    }
    between = Phase{};
    after_short = false;
  }
  return list;
}

}  // namespace gdsim
