// A table that is written after its experiment: completely or not at all.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "layout.hpp"

namespace probe {

/// Rows of one table of the layout. Values are written as text; their number must be that of the columns.
class Table {
 public:
  explicit Table(std::string name) : name_(std::move(name)) {
    for (const Column& column : kLayout) {
      if (name_ != column.table) continue;
      heading_ += (columns_ == 0 ? "" : ",") + std::string(column.name);
      ++columns_;
    }
    if (columns_ == 0) throw std::logic_error("no table " + name_ + " in the layout");
  }

  const std::string& name() const { return name_; }
  bool empty() const { return rows_.empty(); }

  void row(const std::vector<std::string>& values) {
    if (values.size() != columns_) throw std::logic_error("a row of " + name_ + " does not have the layout's columns");
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) rows_ += ',';
      rows_ += values[i];
    }
    rows_ += '\n';
  }

  /// Writes header lines, the heading and all rows to FOLDER/EXPERIMENT.TABLE.csv.
  void write(const std::string& folder, const std::string& experiment, const std::string& header) const {
    const std::string path = folder + "/" + experiment + "." + name_ + ".csv";
    const std::string part = path + ".part";
    std::FILE* file = std::fopen(part.c_str(), "wb");
    if (file == nullptr) throw std::runtime_error("cannot write " + part + ": " + std::strerror(errno));
    const std::string text = header + heading_ + "\n" + rows_;
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = std::fclose(file) == 0;
    std::error_code failed;
    if (written && closed) std::filesystem::rename(part, path, failed);
    if (!written || !closed || failed) {
      std::remove(part.c_str());
      throw std::runtime_error("cannot write " + path);
    }
  }

 private:
  std::string name_, heading_, rows_;
  std::size_t columns_ = 0;
};

inline std::string text(std::uint64_t value) { return std::to_string(value); }
inline std::string text(std::int64_t value) { return std::to_string(value); }
inline std::string text(unsigned value) { return std::to_string(value); }

inline std::string decimal(double value) {
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.3f", value);
  return digits;
}

inline std::string hex(std::uint32_t value) {
  char digits[16];
  std::snprintf(digits, sizeof digits, "0x%x", value);
  return digits;
}

/// Returns one word: characters that separate rows or cells become underscores.
inline std::string word(std::string value) {
  for (char& letter : value) {
    if (letter == ' ' || letter == ',' || letter == '"' || letter == '\n') letter = '_';
  }
  return value;
}

}  // namespace probe
