#include <gdsim/import/ptx/block_log.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

namespace gdsim {
namespace {

/// One call of split_iterations().
class IterationSplit {
 public:
  IterationSplit(const ExecutionCounts& counts, std::uint64_t entries, const PreparedKernel& kernel, std::uint32_t loop,
                 std::uint32_t block)
      : counts_(counts),
        entries_(entries),
        kernel_(kernel),
        flow_(kernel.flow),
        loop_(loop),
        with_(counts.executions[block]),
        without_(counts.loops[loop].iterations - with_),
        split_{counts, counts} {
    if (with_ == without_) find_connected(block);
  }

  SplitCounts made() {
    const bool copies_go_with = do_copies_end_with();
    for (const std::uint32_t block : flow_.loops[loop_].blocks) {
      const Share share = share_of(block);
      divide(share, split_.with.executions[block], split_.without.executions[block]);
      for (std::uint32_t i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) {
        const bool goes_with = copies_go_with && kernel_.instructions[i].traits.role == PtxRole::copy;
        for (const auto sum : kAccessSums)
          divide(goes_with ? Share{1, 1} : share, split_.with.accesses[i].*sum, split_.without.accesses[i].*sum);
      }
    }
    for (std::uint32_t inner = 0; inner < flow_.loops.size(); ++inner) {
      if (inner == loop_ || !flow_.loops[loop_].holds(flow_.loops[inner].head)) continue;
      const Share share = share_of(flow_.loops[inner].head);
      divide(share, split_.with.loops[inner].entries, split_.without.loops[inner].entries);
      divide(share, split_.with.loops[inner].iterations, split_.without.loops[inner].iterations);
    }
    split_.with.loops[loop_].iterations = with_;
    split_.without.loops[loop_].iterations = without_;
    return std::move(split_);
  }

 private:
  /// Of counts, what belongs to the iterations with the block.
  struct Share {
    std::uint64_t part = 0;
    std::uint64_t whole = 1;
  };

  /// What is a whole number for each time that the loop is entered stays one.
  void divide(const Share& share, std::uint64_t& with, std::uint64_t& without) const {
    const std::uint64_t unit = without % entries_ == 0 ? entries_ : 1;
    const std::uint64_t count = without / unit;
    with = unit * (count / share.whole * share.part + count % share.whole * share.part / share.whole);
    without -= with;
  }

  /// How often a block is executed, or the loop in this one entered that holds it.
  std::uint64_t times_of(std::uint32_t block) const {
    std::optional<std::uint32_t> inner;
    for (auto at = flow_.blocks[block].loop; at != loop_; at = flow_.loops[*at].parent) inner = at;
    return inner ? counts_.loops[*inner].entries : counts_.executions[block];
  }

  Share share_of(std::uint32_t block) const {
    const std::uint64_t times = times_of(block);
    if (times != with_ && times != without_) return {with_, with_ + without_};
    const bool goes_with = with_ == without_ ? connected_.count(block) != 0 : times == with_;
    return {goes_with ? 1U : 0U, 1};
  }

  /// Returns true if groups of copies end in the loop, and all of them in iterations with the block.
  bool do_copies_end_with() const {
    bool are_ended = false;
    for (const std::uint32_t block : flow_.loops[loop_].blocks)
      for (std::uint32_t i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) {
        if (kernel_.instructions[i].traits.role != PtxRole::commit || counts_.executions[block] == 0) continue;
        const Share share = share_of(block);
        if (share.part != 1 || share.whole != 1) return false;
        are_ended = true;
      }
    return are_ended;
  }

  /// Finds the blocks from which one iteration can come to the block, and those to which it can go on.
  void find_connected(std::uint32_t block) {
    std::set<std::uint32_t> before{block};
    std::set<std::uint32_t> after{block};
    for (std::size_t found = 0; found != before.size() + after.size();) {
      found = before.size() + after.size();
      for (const std::uint32_t from : flow_.loops[loop_].blocks)
        for (const std::uint32_t to : flow_.blocks[from].successors) {
          if (to == flow_.loops[loop_].head || !flow_.loops[loop_].holds(to)) continue;
          if (before.count(to) != 0) before.insert(from);
          if (after.count(from) != 0) after.insert(to);
        }
    }
    connected_ = std::move(before);
    connected_.merge(after);
  }

  const ExecutionCounts& counts_;
  std::uint64_t entries_;  ///< of the loop
  const PreparedKernel& kernel_;
  const FlowGraph& flow_;
  std::uint32_t loop_;
  std::uint64_t with_;     ///< executions of the loop's body with the block
  std::uint64_t without_;  ///< executions without it
  std::set<std::uint32_t> connected_;
  SplitCounts split_;
};

}  // namespace

SplitCounts split_iterations(const ExecutionCounts& counts, std::uint64_t entries, const PreparedKernel& kernel,
                             std::uint32_t loop, std::uint32_t block) {
  return IterationSplit(counts, entries, kernel, loop, block).made();
}

}  // namespace gdsim
