#include "oracle/program.hpp"

#include <algorithm>
#include <utility>

namespace gdsim::oracle {

bool takes_part(const Only& only, std::uint32_t thread) {
  return std::any_of(only.threads.begin(), only.threads.end(),
                     [thread](const ThreadRange& range) { return range.first <= thread && thread <= range.last; });
}

bool writes_only(const Step& step) {
  const auto* memory = std::get_if<Memory>(&step);
  if (memory == nullptr || !memory->written) return memory != nullptr && memory->is_posted;
  const std::uint64_t sectors = memory->written->whole + memory->written->partial;
  return memory->is_posted || sectors >= static_cast<std::uint64_t>((memory->bytes.count + 31) / 32);
}

bool is_asynchronous(const Step& step) {
  const auto* memory = std::get_if<Memory>(&step);
  return memory != nullptr && memory->is_asynchronous && !writes_only(step);
}

bool is_atomic(const Step& step, AtomicSpace space) {
  const auto* atomic = std::get_if<Atomic>(&step);
  return atomic != nullptr && atomic->space == space;
}

const Program& program_of(const Kernel& kernel, std::uint64_t work_group) {
  const std::vector<std::uint32_t>& numbers = kernel.group_programs.of_group;
  if (numbers.empty() || numbers[work_group] == 0) return kernel.program;
  return kernel.group_programs.others[numbers[work_group] - 1];
}

Walk::Walk(const Program& program, std::uint32_t thread, bool slm_has_latency, TakerNumber group,
           TakerNumber of_threads)
    : positions_{{&program, 0, 0}},
      thread_(thread),
      slm_has_latency_(slm_has_latency),
      group_(group),
      of_threads_(of_threads) {}

/// Returns true if the thread has an asynchronous load in `body`. A loop without an iteration does not count.
static bool loads_asynchronously(const Program& body, std::uint32_t thread) {
  return std::any_of(body.begin(), body.end(), [thread](const Step& step) {
    if (const auto* loop = std::get_if<Loop>(&step)) return loop->count > 0 && loads_asynchronously(loop->body, thread);
    if (const auto* only = std::get_if<Only>(&step))
      return takes_part(*only, thread) && loads_asynchronously(only->body, thread);
    return is_asynchronous(step);
  });
}

Piece Walk::next_take() {
  const Tiles& tiles = std::get<Tiles>(*list_);
  if (tiles.take == TileTake::on_demand) {
    if (tiles.per == TileTaker::work_group && !std::exchange(has_arrived_, true))
      return {{list_, 1, false, false, Repeated::OfTiles::barrier}};
    return {{list_, 1, false, false, Repeated::OfTiles::request}};
  }
  const TakerNumber& taker = tiles.per == TileTaker::work_group ? group_ : of_threads_;
  const UInt128 next = UInt128{taker.number} + UInt128{taken_} * taker.all;
  const Step* list = list_;
  answer(next < tiles.count ? std::optional(static_cast<std::uint64_t>(next)) : std::nullopt);
  if (!tile_ || tiles.cost.amount.is_zero()) return {};
  return {{list, 1, false, false, Repeated::OfTiles::cost}};
}

void Walk::answer(std::optional<std::uint64_t> tile) {
  const Tiles& tiles = std::get<Tiles>(*list_);
  has_arrived_ = false;
  tile_.reset();
  if (tile) {
    ++taken_;
    tile_ = TileOfStep{&tiles, lists_ - 1, *tile};
    const std::size_t number = tiles.of_tile.empty() ? 0 : tiles.of_tile[*tile];
    positions_.push_back({number == 0 ? &tiles.body : &tiles.others[number - 1], 0, 0, true, false, list_});
  }
  list_ = nullptr;
}

/// Adds the work of the thread in `body`. Returns false if `body` has something else than work.
bool Walk::add_pieces(const Program& body, Piece& piece) const {
  return std::all_of(body.begin(), body.end(), [&](const Step& step) {
    if (const auto* only = std::get_if<Only>(&step))
      return !takes_part(*only, thread_) || add_pieces(only->body, piece);
    if (const auto* loop = std::get_if<Loop>(&step)) {
      if (loop->count == 0) return true;
      const auto inner = one_piece(*loop);
      if (inner) piece.insert(piece.end(), inner->begin(), inner->end());
      return inner.has_value();
    }
    piece.push_back({&step, 1});
    const auto* issue = std::get_if<IssueSlots>(&step);
    return std::holds_alternative<Compute>(step) || (issue != nullptr && issue->l1.empty()) ||
           (std::holds_alternative<Memory>(step) && !is_asynchronous(step)) ||
           ((std::holds_alternative<Slm>(step) || is_atomic(step, AtomicSpace::slm)) && !slm_has_latency_);
  });
}

std::optional<Piece> Walk::one_piece(const Loop& loop) const {
  Piece piece;
  if (!add_pieces(loop.body, piece)) return std::nullopt;
  const bool is_fixed = std::all_of(piece.begin(), piece.end(),
                                    [](const Repeated& part) { return std::holds_alternative<Compute>(*part.step); });
  if (!is_fixed && piece.size() > 1) return std::nullopt;
  for (Repeated& part : piece) part.times *= loop.count;
  return piece;
}

bool Walk::is_in_loop() const {
  return std::any_of(positions_.begin(), positions_.end(), [](const Position& one) { return one.is_loop; });
}

Piece Walk::next() {
  while (!positions_.empty()) {
    if (list_ != nullptr) {
      Piece take = next_take();
      if (!take.empty()) return take;
      continue;
    }
    Position& position = positions_.back();
    if (position.second_part_is_next) {
      position.second_part_is_next = false;
      return {{&(*position.body)[position.step - 1], 1, true}};
    }
    if (position.step == position.body->size()) {
      if (position.tiles != nullptr) {
        list_ = position.tiles;
        tile_.reset();
        positions_.pop_back();
      } else if (position.iterations_left == 0) {
        positions_.pop_back();
      } else {
        --position.iterations_left;
        position.step = 0;
      }
      continue;
    }
    const Step& step = (*position.body)[position.step++];
    if (const auto* loop = std::get_if<Loop>(&step)) {
      if (loop->count == 0) continue;
      auto piece = one_piece(*loop);
      if (!piece) positions_.push_back({&loop->body, 0, loop->count - 1, true});
      if (!piece || piece->empty()) continue;
      piece->front().is_in_loop = is_in_loop();
      return *piece;
    } else if (const auto* tiles = std::get_if<Tiles>(&step)) {
      list_ = &step;
      ++lists_;
      taken_ = 0;
      for (std::size_t i = 0; i <= tiles->others.size(); ++i)
        has_loads_ = has_loads_ || loads_asynchronously(i == 0 ? tiles->body : tiles->others[i - 1], thread_);
    } else if (const auto* only = std::get_if<Only>(&step)) {
      if (takes_part(*only, thread_)) positions_.push_back({&only->body, 0, 0});
    } else {
      position.second_part_is_next = is_atomic(step, AtomicSpace::global) || std::holds_alternative<Fence>(step);
      has_loads_ = has_loads_ || is_asynchronous(step);
      return {{&step, 1, false, is_in_loop()}};
    }
  }
  static const Step wait_for_all{WaitMemory{}};
  if (!std::exchange(has_loads_, false)) return {};
  return {{&wait_for_all, 1}};
}

}  // namespace gdsim::oracle
