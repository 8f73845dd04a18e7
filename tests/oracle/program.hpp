#pragma once

#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>
#include <vector>

// A thread's path through its program: loops and divergent parts are entered as it reaches them.
//
// A loop of which this thread executes nothing but `compute` steps, or one `issue`, `memory` or `slm` step (without a
// latency) and nothing else, is one piece of work: all iterations together, inner loops included; an `issue` with
// accesses to L1 is not. This matters only for rounding: see variation.hpp. An `atomic` step in SLM is like an `slm`
// step; one in global memory is two pieces, its traffic and its accesses to addresses; a `fence` is two, the wait for
// loads and stores and its latency; and no loop around it is one piece, nor one around an asynchronous load. A store is
// as a `memory` step here. A thread that has
// begun such loads waits for all of them after its program. A loop without an iteration is skipped.
//
// The body of a list of tiles counts as a loop around its pieces, and is never one piece. In a list whose tiles are
// assigned by number, a thread knows its own tiles: n, n + N, ..., for taker n of N; the cost of a take is a piece
// before the body. At a list whose tiles are taken on demand, a thread has a piece for the request, and is then given a
// tile or none. If a body has an asynchronous load for the thread, it waits for its loads after its program, whether or
// not it had a tile.

namespace gdsim::oracle {

/// A step that a thread does `times` times, as one.
struct Repeated {
  const Step* step = nullptr;
  std::uint64_t times = 1;
  /// The accesses to addresses of an `atomic` step in global memory, which follow its traffic; or the latency of a
  /// `fence`.
  bool is_second_part = false;
  bool is_in_loop = false;  ///< in one that is not part of the piece
  enum class OfTiles : std::uint8_t { nothing, barrier, request, cost };
  OfTiles of_tiles = OfTiles::nothing;  ///< of a step `tiles`: which part of a take
};
/// One piece of work: one step, or several of fixed time.
using Piece = std::vector<Repeated>;

/// The number of a work-group, or of a thread, in its launch, and the total number of these.
struct TakerNumber {
  std::uint64_t number = 0;
  std::uint64_t all = 1;
};

/// A tile of the program's step `tiles` of this number.
struct TileOfStep {
  const Tiles* list = nullptr;
  std::uint64_t step = 0;
  std::uint64_t tile = 0;
};

/// The work of one thread, piece by piece.
class Walk {
 public:
  Walk() = default;
  /// Begins at the start of `program`, which must outlive this, for this thread of its work-group.
  Walk(const Program& program, std::uint32_t thread, bool slm_has_latency, TakerNumber group = {},
       TakerNumber of_threads = {});

  /// Returns the next piece; empty: the program is over.
  Piece next();
  bool is_over() const { return Walk(*this).next().empty(); }
  /// Answers a request: with a tile, or nullopt if none is left. The cost of that take is no piece.
  void answer(std::optional<std::uint64_t> tile);
  /// The tile that is being executed or paid for; nullopt: none.
  const std::optional<TileOfStep>& tile() const { return tile_; }

 private:
  struct Position {
    const Program* body;
    std::size_t step;
    std::uint64_t iterations_left;
    bool is_loop = false;
    bool second_part_is_next = false;  ///< of the `atomic` or `fence` step before
    const Step* tiles = nullptr;       ///< it is a body of this step
  };
  /// Returns the next piece of a list; empty: the thread continues after the list, or with the body.
  Piece next_take();
  std::optional<Piece> one_piece(const Loop& loop) const;
  bool add_pieces(const Program& body, Piece& piece) const;
  bool is_in_loop() const;

  std::vector<Position> positions_;  ///< from the program inwards
  std::uint32_t thread_ = 0;
  bool slm_has_latency_ = false;
  bool has_loads_ = false;  ///< it has begun asynchronous loads
  TakerNumber group_;
  TakerNumber of_threads_;
  const Step* list_ = nullptr;  ///< the step `tiles` of which it takes the next tile
  std::uint64_t lists_ = 0;     ///< steps `tiles` that it has begun
  std::uint64_t taken_ = 0;     ///< tiles of this one
  bool has_arrived_ = false;    ///< it has waited for the others
  std::optional<TileOfStep> tile_;
};

/// Returns the program of the threads of this work-group.
const Program& program_of(const Kernel& kernel, std::uint64_t work_group);
/// Returns true for a `store`, or a `memory` step of whose bytes all are written, in sectors of 32 B.
bool writes_only(const Step& step);
/// Returns true for another `memory` step for which the thread does not wait.
bool is_asynchronous(const Step& step);
/// Returns true for an `atomic` step in this space.
bool is_atomic(const Step& step, AtomicSpace space);
bool takes_part(const Only& only, std::uint32_t thread);

}  // namespace gdsim::oracle
