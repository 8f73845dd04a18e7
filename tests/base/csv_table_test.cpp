#include <gdsim/base/csv_table.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

namespace {

using Cells = std::vector<std::string>;

struct ReadTable {
  std::vector<Cells> lines;           ///< the header first
  std::vector<std::string> marks;     ///< LINE:COLUMN of the header's cells, then LINE of every row
  std::vector<std::string> problems;  ///< LINE:COLUMN: MESSAGE
};

ReadTable table_of(const std::string& text, char separator = ',') {
  const SourceText source("a.csv", text);
  Diagnostics problems;
  const CsvDocument document = read_csv(source, problems, separator);
  ReadTable table;
  table.lines.push_back(document.header);
  for (const SourceMark& mark : document.header_marks)
    table.marks.push_back(std::to_string(mark.line) + ":" + std::to_string(mark.column));
  for (const CsvRow& row : document.rows) {
    table.lines.push_back(row.cells);
    table.marks.push_back(std::to_string(row.mark.line));
  }
  for (const Diagnostic& one : problems.problems())
    table.problems.push_back(std::to_string(one.line) + ":" + std::to_string(one.column) + ": " + one.message);
  return table;
}

}  // namespace

TEST_CASE("cells are what stands between separators, or between quotes, whatever ends a line") {
  struct Case {
    std::string text;
    std::vector<Cells> lines;
  };
  for (const Case& one : std::vector<Case>{
           {"a,b\n1,2\n", {{"a", "b"}, {"1", "2"}}},
           {"a,b\n1,2", {{"a", "b"}, {"1", "2"}}},
           {"a,b\r\n1,2\r\n", {{"a", "b"}, {"1", "2"}}},
           {"a,b\r\n1,2\r", {{"a", "b"}, {"1", "2"}}},
           {"\xEF\xBB\xBF"
            "a,b\n1,2\n",
            {{"a", "b"}, {"1", "2"}}},
           {"a,b\n\n1,2\n\r\n3,4\n\n", {{"a", "b"}, {"1", "2"}, {"3", "4"}}},
           {"a,b\n,\n", {{"a", "b"}, {"", ""}}},
           {"a,b\n 1 ,\t2\n", {{"a", "b"}, {" 1 ", "\t2"}}},
           {"\"a\",\"b\"\n\"1\",\"2\"\n", {{"a", "b"}, {"1", "2"}}},
           {"\"a\",\"b\"\r\n\"1\",\"2\"\r\n", {{"a", "b"}, {"1", "2"}}},
           {"a,b\n\"1,5\",\"say \"\"hi\"\"\"", {{"a", "b"}, {"1,5", "say \"hi\""}}},
           {"a,b\n\"1\n2\",\"\"\n3,4\n", {{"a", "b"}, {"1\n2", ""}, {"3", "4"}}},
           {"a,b\n1\"2,3\"\n", {{"a", "b"}, {"1\"2", "3\""}}},
           {"a\n1\n", {{"a"}, {"1"}}},
       }) {
    INFO(one.text);
    const ReadTable table = table_of(one.text);
    CHECK(table.lines == one.lines);
    CHECK(table.problems.empty());
  }
  CHECK(table_of("a;b\n1,5;2\n", ';').lines == std::vector<Cells>{{"a", "b"}, {"1,5", "2"}});
  CHECK(table_of("a\tb\n1;5\t2\n", '\t').lines == std::vector<Cells>{{"a", "b"}, {"1;5", "2"}});
}

TEST_CASE("rows and cells of the header know where they stand, behind lines in quotes and empty ones, too") {
  CHECK(table_of("one,two,\"three\",4\n1,2,3,4\n\n\"1\n\n2\",2,3,4\n1,2,3,4\n").marks ==
        std::vector<std::string>{"1:1", "1:5", "1:9", "1:17", "2", "4", "7"});
}

TEST_CASE("what is no table is said with its place") {
  using Problems = std::vector<std::string>;
  const auto problems = [](const std::string& text) { return table_of(text).problems; };
  const std::string nothing = "1:1: there is nothing here; a header with the names of the columns is needed";
  CHECK(problems("") == Problems{nothing});
  CHECK(problems("\xEF\xBB\xBF") == Problems{nothing});
  CHECK(problems("a,b,a\n1,2,3\n") == Problems{"1:5: the column 'a' stands twice in the header"});
  CHECK(problems("a,b\n1\n1,2\n1,2,3\n") ==
        Problems{"2:1: the row has 1 cells, the header has 2", "4:1: the row has 3 cells, the header has 2"});
  CHECK(problems("a,b\n1,\"2\n3,4\n") == Problems{"2:1: a quote in this row is never closed"});
  CHECK(problems("a,b\n\"1\"x,2\n\"1\" ,2\n1,\"2\"\r\r\n") == Problems{"2:1: text stands behind a closing quote",
                                                                       "3:1: text stands behind a closing quote",
                                                                       "4:1: text stands behind a closing quote"});
}
