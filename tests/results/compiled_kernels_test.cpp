#include "support/builders.hpp"
#include "support/table_rows.hpp"
#include "support/temporary_folder.hpp"

#include <fmt/args.h>
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <regex>
#include <set>
#include <string>
#include <vector>

// Public kernels with published times, and what is predicted of them: the table is whole, and the READMEs say what it
// says.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

using Row = TableRow;

std::vector<Row> kernels() { return table_rows("tests/results/compiled_kernels.csv"); }

double number(const Row& row, const std::string& column) { return std::stod(row.at(column)); }

std::string folder_of(const Row& row) {
  return row.at("held_out").starts_with("AMDGPU") ? "models/amd/" : "models/nvidia/";
}

bool is_predicted(const Row& row) { return !row.at("predicted_ms").empty(); }

struct Accuracy {
  std::size_t rows = 0;
  std::size_t predicted = 0;
  std::set<std::string> devices{};  ///< with predicted rows
  double worst = 1;                 ///< the largest factor between both times
  long mean = 0;                    ///< percent
  long median = 0;                  ///< percent
  std::size_t pairs = 0;
  std::size_t right = 0;  ///< pairs whose faster kernel is predicted as the faster one
};

/// Pairs of one repository and device whose published times are more than 10 % apart.
void rank(const std::vector<Row>& predicted, Accuracy& accuracy) {
  for (std::size_t i = 0; i < predicted.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Row& a = predicted[i];
      const Row& b = predicted[j];
      if (a.at("device") != b.at("device") || a.at("repository") != b.at("repository")) continue;
      const double first = number(a, "published_ms");
      const double second = number(b, "published_ms");
      if (std::max(first, second) < 1.1 * std::min(first, second)) continue;
      ++accuracy.pairs;
      const double first_predicted = number(a, "predicted_ms");
      const double second_predicted = number(b, "predicted_ms");
      if (first_predicted != second_predicted && (first < second) == (first_predicted < second_predicted))
        ++accuracy.right;
    }
}

/// Of the rows whose column `held_out` begins with `what`.
Accuracy accuracy_of(const std::string& what) {
  Accuracy accuracy;
  std::vector<Row> predicted;
  for (const Row& row : kernels()) {
    if (!row.at("held_out").starts_with(what)) continue;
    ++accuracy.rows;
    if (is_predicted(row)) predicted.push_back(row);
  }
  accuracy.predicted = predicted.size();
  std::vector<double> errors;
  double sum = 0;
  for (const Row& row : predicted) {
    errors.push_back(std::abs(number(row, "error_percent")));
    accuracy.devices.insert(row.at("device"));
    const double ratio = number(row, "predicted_ms") / number(row, "published_ms");
    accuracy.worst = std::max({accuracy.worst, ratio, 1 / ratio});
    sum += errors.back();
  }
  REQUIRE_FALSE(errors.empty());
  std::sort(errors.begin(), errors.end());
  const std::size_t half = errors.size() / 2;
  accuracy.mean = std::lround(sum / static_cast<double>(errors.size()));
  accuracy.median = std::lround(errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2);
  rank(predicted, accuracy);
  return accuracy;
}

/// On one line, however it is broken.
std::string words_of(const std::string& file) {
  std::string text = read_file(source_path(file));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

TEST_CASE("each public kernel is predicted, with its error, or says why not") {
  std::set<std::string> devices;
  for (const Row& row : kernels()) {
    INFO(row.at("device") << ": " << row.at("kernel"));
    CHECK(is_predicted(row) == row.at("refused").empty());
    CHECK(number(row, "published_ms") > 0);
    CHECK_FALSE(row.at("published_at").empty());
    CHECK(row.at("command") == "tests/compiled_kernels/fill FOLDER");
    CHECK(row.at("repository").find('@') != std::string::npos);
    CHECK(std::filesystem::exists(source_path(folder_of(row) + row.at("device") + ".yaml")));
    devices.insert(row.at("device"));
    if (!is_predicted(row)) continue;
    const double error = 100 * (number(row, "predicted_ms") / number(row, "published_ms") - 1);
    CHECK(number(row, "error_percent") == Approx(error).margin(0.1).epsilon(0.002));  // times have four digits
    CHECK_FALSE(row.at("largest_bound").empty());
    if (!row.at("added_ms").empty()) CHECK(number(row, "predicted_ms") > number(row, "added_ms"));
  }
  CHECK(devices.size() >= 5);
}

TEST_CASE("what READMEs say of public kernels is what their table says") {
  const Accuracy held = accuracy_of("yes");
  const Accuracy refused = accuracy_of("no: refused");
  const Accuracy read = accuracy_of("no: what ptxas makes of 16 bits");
  const Accuracy known = accuracy_of("no: a ladder");
  const Accuracy amd = accuracy_of("AMDGPU assembly");
  CHECK(held.devices.size() == 6);
  CHECK_THAT(words_of("README.md"),
             Contains(fmt::format(
                 "| published times | {} of {} held-out rows, on six of seven GPUs, get a duration, {} % off on "
                 "average |",
                 held.predicted, held.rows, held.mean)));
  CHECK_THAT(words_of("tools/README.md"),
             Contains(fmt::format("times of held-out kernels are {} % off on average, for AMDGPU assembly {} % (",
                                  held.mean, amd.mean)));
  const std::string evidence = words_of("tests/README.md");
  CHECK_THAT(evidence, Contains(fmt::format("[{} rows of public kernels]", kernels().size())));
  CHECK_THAT(evidence,
             Contains(fmt::format(
                 "| held out: PTX, {} of 7 GPUs | {} of {} | {} % (median {} %); of a project's pairs on one GPU over "
                 "10 % apart, {} of {} are in the right order |",
                 held.devices.size(), held.predicted, held.rows, held.mean, held.median, held.right, held.pairs)));
  const auto row = [](const std::string& rows, const Accuracy& of) {
    return fmt::format("| {} | {} of {} | {} % ", rows, of.predicted, of.rows, of.mean);
  };
  CHECK_THAT(evidence, Contains(row("not held out: kernels that gdsim refused at first", refused)));
  CHECK_THAT(evidence, Contains(row("not held out: 16-bit matrices, whose machine code we had looked at", read)));
  CHECK_THAT(evidence, Contains(row("held out: AMDGPU assembly, MI300A and MI300X", amd) +
                                fmt::format("(median {} %) |", amd.median)));
  CHECK_THAT(evidence, Contains(row("not held out: siboehm/SGEMM_CUDA 1 to 6", known)));
  CHECK_THAT(evidence,
             Contains(fmt::format("Worst of those held out: `render_init` {:.1f} times too fast", held.worst)));
}

TEST_CASE("what is said of errors and their causes is what the rows say") {
  struct Part {
    std::string words;  ///< with {} for each group's mean error
    std::vector<std::function<bool(const Row&)>> groups{};
  };
  const auto are = [](const std::string& device, const std::string& names) {
    return [device, kernels = std::regex(names)](const Row& row) {
      return row.at("device").starts_with(device) && std::regex_match(row.at("kernel"), kernels);
    };
  };
  const auto on_4090 = [](double low, double high) {
    return [low, high](const Row& row) {
      const double time = number(row, "published_ms");
      return row.at("device") == "rtx-4090" && low <= time && time < high;
    };
  };
  const auto of_far_memory = [](double low, double high) {
    return [low, high](const Row& row) {
      const double time = number(row, "published_ms");
      const std::string& bound = row.at("largest_bound");
      return row.at("device").starts_with("mi300") && (bound == "Infinity Cache" || bound == "HBM3") && low <= time &&
             time < high;
    };
  };
  const std::vector<Part> parts{
      {"`gemm_v04` to `v06`, not `_vectorized`, {} % (`v00` to `v03`: {} %)",
       {are("rtx-3090", "gemm_v0[4-6]<.*"), are("rtx-3090", "gemm_v0[0-3]<.*")}},
      {"`gemm_v02_vectorized`, `gemm_v03_vectorized`, {} %", {are("rtx-3090", "gemm_v0[23]_vectorized<.*")}},
      {"`reduce1` to `reduce3`, {} % (`reduce4` to `reduce7`: {} %)",
       {are("v100", "reduce[1-3]"), are("v100", "reduce[4-7]")}},
      {"RTX 4090, below 0.08 ms, {} % (above: {} %)", {on_4090(0, 0.08), on_4090(0.08, 1e9)}},
      {"MI300, bound by HBM or Infinity Cache, from 0.02 ms, {} % (below: {} %)",
       {of_far_memory(0.02, 1e9), of_far_memory(0, 0.02)}},
      {"`im2col`, {} %; `nbody`, {} %; `Sgemv_v0` and `v2`, {} %",
       {are("mi300a", "im2col"), are("mi300a", "nbody"), are("v100", "Sgemv_v[02]")}},
  };
  const std::string evidence = words_of("tests/README.md");
  for (const Part& part : parts) {
    fmt::dynamic_format_arg_store<fmt::format_context> means;
    for (const auto& is_of_group : part.groups) {
      double sum = 0;
      std::size_t count = 0;
      for (const Row& row : kernels()) {
        if (!is_predicted(row) || !is_of_group(row)) continue;
        sum += number(row, "error_percent");
        ++count;
      }
      REQUIRE(count > 1);
      const long mean = std::lround(sum / static_cast<double>(count));
      means.push_back(mean == 0 ? std::string("0") : fmt::format("{:+}", mean));
    }
    CHECK_THAT(evidence, Contains(fmt::vformat(part.words, means)));
  }
}

TEST_CASE("the front page says of each GPU how many compiled kernels have a prediction, and how far off these are") {
  const std::string front = std::regex_replace(words_of("README.md"), std::regex(" +"), " ");
  std::size_t predicted = 0;
  std::string models, durations, errors, pairs;  // the cells of the table's lines
  for (const Row& row : table_rows("models/accuracy.csv")) {
    if (row.at("evidence") != "compiled kernels" || row.at("rows") == "0") continue;
    const std::size_t rows = std::stoul(row.at("rows"));
    const std::size_t known = rows - std::stoul(row.at("not_predicted"));
    models += fmt::format(" {} |", row.at("model"));
    durations += fmt::format(" {} of {} |", known, rows);
    errors += known == 0 ? " |" : fmt::format(" {} % |", row.at("mean_error"));
    const bool has_pairs = known > 0 && row.at("pairs") != "0";
    pairs += has_pairs ? fmt::format(" {} of {} |", row.at("pairs_right"), row.at("pairs")) : " |";
    predicted += known;
  }
  std::set<std::string> dates;
  for (const Row& row : kernels())
    if (row.at("held_out") == "yes" && is_predicted(row)) dates.insert(row.at("date"));
  REQUIRE(dates.size() == 1);
  CHECK_THAT(front, Contains(fmt::format("| compiled kernels, by GPU (computed on {}) |{}", *dates.begin(), models)));
  CHECK_THAT(front, Contains("| get a duration |" + durations));
  CHECK_THAT(front, Contains("| off on average |" + errors));
  CHECK_THAT(front, Contains("| pairs of a project's kernels >10 % apart: order is right |" + pairs));
  CHECK(predicted == accuracy_of("yes").predicted);
}
