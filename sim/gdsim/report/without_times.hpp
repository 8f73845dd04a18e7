#pragma once

#include <gdsim/report/sink.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

// Rule: times of a placeholder.
//
// A run in which the program of a kernel is a placeholder has no times. Every value whose column or key ends in `_ns`
// is one, and every value of an object under such a key: an empty cell of CSV, null in JSON.

/// Passes the rows of a CSV table on, with the cells of its columns of times left empty.
class CsvWithoutTimes : public Sink {
 public:
  /// `sink` must outlive this.
  explicit CsvWithoutTimes(Sink& sink) : sink_(sink) {}
  void write(std::string_view text) override;

 private:
  void end_cell(char separator);

  Sink& sink_;
  std::vector<bool> is_time_;  ///< by column, once the header has been read
  std::string cell_;           ///< as far as it was read
  std::size_t column_ = 0;
  bool is_header_ = true;
  bool is_quoted_ = false;
};

/// Returns a text that JsonWriter wrote with each time replaced by null.
std::string json_without_times(std::string_view json);

}  // namespace gdsim
