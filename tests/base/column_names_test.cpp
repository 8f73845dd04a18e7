#include <gdsim/base/column_names.hpp>

#include <catch2/catch.hpp>

#include <array>

using namespace gdsim;

namespace {

enum class Column : std::uint8_t { core, start, first };

constexpr std::array kColumns{ColumnAliases<Column>{Column::core, "core sm_id"},
                              ColumnAliases<Column>{Column::start, "start begin", UnitInName::time},
                              ColumnAliases<Column>{Column::first, "first", UnitInName::needed}};

/// Returns the meaning as a number, or -1.
int column_meaning(std::string_view name) {
  const ColumnAliases<Column>* column = find_column<Column>(name, kColumns);
  return column == nullptr ? -1 : static_cast<int>(column->meaning);
}

/// Returns what the cells of the first row are, or the problems.
std::string first_row_of_columns(const std::string& text) {
  const SourceText source("a.csv", text);
  Diagnostics problems;
  const CsvDocument table = read_csv(source, problems);
  const NamedColumns<Column> columns(table, kColumns, problems);
  std::string found;
  if (problems.empty() && columns.has(Column::core))
    found = std::to_string(columns.whole(table.rows.front(), Column::core, 9));
  if (problems.empty() && columns.has(Column::start))
    found += " " + std::to_string(columns.duration(table.rows.front(), Column::start).count);
  for (const Diagnostic& one : problems.problems())
    found += std::to_string(one.line) + ":" + std::to_string(one.column) + ": " + one.message + "\n";
  return found;
}

}  // namespace

TEST_CASE("a column's name is the same in every spelling, with its unit or without") {
  for (const std::string name : {"start_time_ns", "Start Time (ns)", "StartTime[ns]", "start-time:ns", "START TIME ns",
                                 "StartTime:ts_ns", "StartTimeNs", "Start Time (in ns)"}) {
    INFO(name);
    const ColumnName read = column_name(name);
    CHECK(read.plain == "starttime");
    CHECK(plain_name(read.unit) == "ns");
  }
  CHECK(column_name("StcSMem:mem_B").plain == "stcsmem");
  CHECK(column_name("StcSMem:mem_B").unit == "B");
  CHECK(column_name("Throughput (MB/s)").unit == "MB/s");
  for (const std::string name : {"times", "time_minutes", "time_", "Grid X", "ns", "(ns)", "_ns"}) {
    INFO(name);
    CHECK(column_name(name).unit.empty());
  }
}

TEST_CASE("units of time go by their short and their long words, whatever their case") {
  for (const auto& [unit, count] : std::vector<std::pair<std::string, std::int64_t>>{{"ps", 1},
                                                                                     {"ns", 1'000},
                                                                                     {"nsecond", 1'000},
                                                                                     {"US", 1'000'000},
                                                                                     {"\u00b5s", 1'000'000},
                                                                                     {"milliseconds", 1'000'000'000},
                                                                                     {"sec", 1'000'000'000'000}}) {
    INFO(unit);
    REQUIRE(time_unit(unit));
    CHECK(time_unit(unit)->count == count);
  }
  for (const std::string unit : {"", "m", "minutes", "cycles", "n"}) CHECK_FALSE(time_unit(unit));
}

TEST_CASE("a column is found by its aliases, with a unit only where it may have one") {
  CHECK(column_meaning("core") == 0);
  CHECK(column_meaning("SM ID") == 0);
  CHECK(column_meaning("Begin (us)") == 1);
  CHECK(column_meaning("first_ns") == 2);
  CHECK(column_meaning("first_cycle") == 2);
  for (const std::string name : {"core_ns", "first", "start_cycles", "start (x)", "cores", "sm_id core", ""}) {
    INFO(name);
    CHECK(column_meaning(name) == -1);
  }
}

TEST_CASE("cells are read by the meaning of their columns, and what is wrong is said with its place") {
  CHECK(first_row_of_columns("SM-ID,Start (us)\n7,2.5\n") == "7 2500000");
  CHECK(first_row_of_columns("start,core\n3 ns,1\n") == "1 3000");
  CHECK(first_row_of_columns("core,stard\n1,2\n") ==
        "1:6: unknown column 'stard'; known: core, sm_id, start, begin; did you mean 'start'?\n");
  CHECK(first_row_of_columns("core,sm_id\n1,2\n") ==
        "1:6: the columns 'core' and 'sm_id' mean the same; leave one of them out\n");
  CHECK(first_row_of_columns("core\n10\n") == "02:1: core: '10' is no whole number from 0 to 9\n");
  CHECK(first_row_of_columns("start_ns\n1 us\n") == " 02:1: start_ns: '1 us' names a unit, and so does the header\n");
}
