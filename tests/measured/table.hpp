#pragma once

#include "support/builders.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/base/csv_table.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace gdsim::testing {

/// The rows of a table in this folder, as texts.
inline std::vector<std::vector<std::string>> measured(const std::string& table) {
  const std::string name = "tests/measured/" + table;
  const SourceText source(name, read_file(source_path(name)));
  Diagnostics problems;
  std::vector<std::vector<std::string>> rows;
  for (const CsvRow& row : read_csv(source, problems).rows) rows.push_back(row.cells);
  problems.throw_if_any();
  return rows;
}

/// `12 0.5 7`
inline std::vector<std::string> words_of(const std::string& cell) {
  std::istringstream text(cell);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

inline std::vector<std::uint32_t> numbers_of(const std::string& cell) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& word : words_of(cell)) numbers.push_back(static_cast<std::uint32_t>(std::stoul(word)));
  return numbers;
}

}  // namespace gdsim::testing
