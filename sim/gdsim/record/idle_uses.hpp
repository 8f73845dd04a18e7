#pragma once

#include <gdsim/record/time_use.hpp>

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace gdsim {

/// Free contexts of all cores, and why: by core; of each core, what was free for nothing that waits comes first, the
/// rest by kernel, then reason. Any number of threads may read it.
///
/// Cores have mostly the same reasons, so they are kept once for all: a run of a hundred thousand kernels has millions
/// of entries.
///
///     gdsim::Int128 for_nothing = 0;  // context-picoseconds
///     for (const gdsim::IdleUse& use : result.record.idle)
///       if (!use.kernel) for_nothing += use.context_time;
class IdleUses {
 public:
  /// What was free for one reason.
  struct Row {
    std::optional<KernelId> kernel;
    std::optional<WaitReason> reason;
    std::vector<Int128> context_times;  ///< by core, as many in each row; 0: none
  };

  /// Passes over what is 0.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = IdleUse;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = IdleUse;

    Iterator(const std::vector<Row>& rows, std::size_t core) : rows_(&rows), core_(core) { pass_zeros(); }
    IdleUse operator*() const {
      const Row& row = (*rows_)[row_];
      return {static_cast<CoreId>(core_), row.kernel, row.reason, row.context_times[core_]};
    }
    Iterator& operator++() {
      ++row_;
      pass_zeros();
      return *this;
    }
    Iterator operator++(int) { return std::exchange(*this, std::next(*this)); }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.core_ == b.core_ && a.row_ == b.row_; }

   private:
    void pass_zeros();

    const std::vector<Row>* rows_;
    std::size_t core_;
    std::size_t row_ = 0;
  };

  IdleUses() = default;
  /// The rows are in order.
  explicit IdleUses(std::vector<Row> rows) : rows_(std::move(rows)) {}

  Iterator begin() const { return {rows_, 0}; }
  Iterator end() const { return {rows_, cores()}; }
  friend bool operator==(const IdleUses& a, const IdleUses& b);

 private:
  std::size_t cores() const { return rows_.empty() ? 0 : rows_.front().context_times.size(); }

  std::vector<Row> rows_;
};

}  // namespace gdsim
