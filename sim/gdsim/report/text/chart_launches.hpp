#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// The rows of a chart that show an application: one for each queue, or for each kernel if it has no queues. A single
/// launch has none.
class LaunchRows {
 public:
  struct Row {
    std::string label;                  ///< at most about 24 bytes; those of all rows differ
    std::vector<std::size_t> launches;  ///< that have begun
  };

  /// `report` must outlive this. `gap` stands for what is left out of a long name.
  LaunchRows(const RunReport& report, std::string_view gap);

  /// The first rows.
  const std::vector<Row>& rows() const { return rows_; }
  std::size_t rows_left_out() const { return rows_left_out_; }
  bool are_queues() const { return are_queues_; }
  /// Labels of kernels, the one that takes most time first. Copies count as one.
  const std::vector<std::string>& kernels() const { return kernels_; }

  /// Returns, by column of `count`, the picoseconds x columns in which launches of each kernel are in flight.
  std::vector<std::map<std::size_t, UInt128>> columns_of(const Row& row, std::size_t count) const;

 private:
  /// A kernel, a queue, or copies: whether it has no name of its own, and its name. A kernel may be called `copies`.
  using Name = std::pair<bool, std::string>;

  Name kernel_of(std::size_t launch) const;
  Name row_of(std::size_t launch) const;
  std::vector<Name> kernels_by_time() const;

  const RunReport& report_;
  bool are_queues_ = false;
  std::map<Name, std::size_t> order_;  ///< of kernels, most time first
  std::vector<std::string> kernels_;
  std::vector<Row> rows_;
  std::size_t rows_left_out_ = 0;
};

}  // namespace gdsim
