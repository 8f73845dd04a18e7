#include <gdsim/report/csv/device_tables.hpp>

#include <gdsim/report/csv/csv_writer.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

/// Splits what is written to it into rows of cells, exactly as they are written, quotes included.
class RowSink : public Sink {
 public:
  using Row = std::vector<std::string_view>;
  explicit RowSink(std::function<void(const Row&)> use) : use_(std::move(use)) {}

  void write(std::string_view text) override {
    for (const char c : text) {
      if (c == '"') is_quoted_ = !is_quoted_;
      if (c == '\n' && !is_quoted_) {
        ends_.push_back(row_.size());
        hand_on();
      } else if (c == ',' && !is_quoted_) {
        ends_.push_back(row_.size());
      } else {
        row_.push_back(c);
      }
    }
  }

 private:
  void hand_on() {
    Row cells;
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      cells.push_back(std::string_view(row_).substr(begin, end - begin));
      begin = end;
    }
    use_(cells);
    row_.clear();
    ends_.clear();
  }

  std::function<void(const Row&)> use_;
  std::string row_;                ///< cells without their separators
  std::vector<std::size_t> ends_;  ///< of its cells
  bool is_quoted_ = false;
};

using Columns = std::vector<std::string>;

Columns columns_of(const DeviceReport& device, const WriteTable& write) {
  Columns columns;
  RowSink sink([&](const RowSink::Row& row) {
    if (columns.empty()) columns.assign(row.begin(), row.end());
  });
  write(device.report, sink);
  return columns;
}

/// All columns: first those of the first device, then those that each other device adds.
Columns all_columns(std::span<const DeviceReport> devices, const WriteTable& write) {
  Columns all;
  for (const DeviceReport& device : devices)
    for (std::string& column : columns_of(device, write))
      if (std::find(all.begin(), all.end(), column) == all.end()) all.push_back(std::move(column));
  return all;
}

}  // namespace

void write_device_tables(std::span<const DeviceReport> devices, const WriteTable& write, Sink& sink) {
  Columns columns = all_columns(devices, write);
  std::vector<std::string_view> header(columns.begin(), columns.end());
  header.emplace_back("device");
  CsvWriter csv(sink, header);
  for (const DeviceReport& device : devices) {
    const std::string name = csv_cells({device.name});
    std::vector<std::size_t> places;  // position of each column of the device
    RowSink rows([&](const RowSink::Row& row) {
      if (places.empty()) {
        for (const std::string_view column : row)
          places.push_back(
              static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin()));
        return;
      }
      std::vector<std::string_view> cells(columns.size());
      for (std::size_t i = 0; i < row.size(); ++i) cells[places[i]] = row[i];
      for (const std::string_view cell : cells) csv.cells(std::string(cell) + ",");
      csv.cells(name).end_row();
    });
    write(device.report, rows);
  }
  csv.finish();
}

}  // namespace gdsim
