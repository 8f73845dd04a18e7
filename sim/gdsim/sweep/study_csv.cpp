#include <gdsim/base/quantity.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/sweep/study_writers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

std::optional<Ratio> fraction_of(const std::optional<std::int64_t>& ten_thousandths) {
  return ten_thousandths ? std::optional(Ratio{static_cast<UInt128>(*ten_thousandths), 10'000}) : std::nullopt;
}

std::optional<Percent> percent_of(const std::optional<std::int64_t>& ten_thousandths) {
  return ten_thousandths ? std::optional(Percent{*ten_thousandths}) : std::nullopt;
}

/// The values of the axes.
ResultColumns<StudyRow> axis_columns(const PointSpace& space) {
  ResultColumns<StudyRow> columns;
  for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
    const std::string& name = space.axes()[axis].name;
    columns.add({name, name, [&space, axis](const StudyRow& row) { return space.value(row.ordinal, axis); }});
  }
  return columns;
}

}  // namespace

const ResultColumns<StudyRow>& study_columns() {
  using Row = StudyRow;
  static const ResultColumns<Row> columns{
      {"status", "status", [](const Row& row) { return name_of(row.result.status); }},
      {"duration_ns", "duration",
       [](const Row& row) {
         return row.result.duration ? std::optional(Duration{*row.result.duration}) : std::nullopt;
       }},
      {"speedup", "speed-up", [](const Row& row) { return row.speedup; }},
      {"peak_occupancy_percent", "peak", [](const Row& row) { return percent_of(row.result.peak_occupancy); }},
      {"mean_occupancy_percent", "mean", [](const Row& row) { return percent_of(row.result.mean_occupancy); }},
      {"fit_occupancy_percent", "fits", [](const Row& row) { return percent_of(row.result.fit_occupancy); }},
      {"limiter", "limited by", [](const Row& row) { return row.result.limiter; }},
      {"work_groups_per_core", "", [](const Row& row) { return row.result.work_groups_per_core; }},
      {"waves", "waves", [](const Row& row) { return fraction_of(row.result.waves); }},
      {"rank", "rank", [](const Row& row) { return row.rank; }},
      {"reason", "reason", [](const Row& row) { return row.result.reason; }}};
  return columns;
}

void write_study_csv(const StudyTable& table, Sink& sink) {
  ResultColumns<StudyRow> columns = axis_columns(table.space());
  for (const ResultColumn<StudyRow>& column : study_columns().all()) columns.add(column);
  const std::vector<std::string_view> header = columns.names();
  CsvWriter csv(sink, header);
  table.for_each([&](const StudyRow& row) { columns.write_row(row, csv); });
  csv.finish();
}

void write_study_json(const StudyTable& table, Sink& sink) {
  JsonWriter json;
  json.open_object();
  json.key("scenario").text(table.identity().title);
  json.key("content").text(table.identity().content);
  json.key("metric").text(table.metric().name);
  json.key("points_total").count(table.points());
  for (const PointStatus status :
       {PointStatus::ok, PointStatus::deadlocked, PointStatus::refused, PointStatus::interrupted})
    json.key(name_of(status)).count(table.count(status));
  json.key("baseline");
  if (table.baseline()) {
    json.text(table.space().name_of(*table.baseline()));
  } else {
    json.none();
  }
  json.key("points").open_list();
  table.for_each([&](const StudyRow& row) {
    json.open_object();
    json.key("values").open_object();
    for (std::size_t axis = 0; axis < table.space().axes().size(); ++axis)
      json.key(table.space().axes()[axis].name).text(table.space().value(row.ordinal, axis));
    json.close_object();
    study_columns().write_members(row, ResultColumns<StudyRow>::Missing::left_out, json);
    json.close_object();
    sink.write(json.take());
  });
  json.close_list();
  json.key("notes").open_list();
  for (const std::string& note : table.identity().notes) json.text(note);
  json.close_list();
  json.key("schema_version").count(1);
  json.close_object();
  sink.write(json.finish());
}

namespace {

constexpr std::uint64_t kMaxTableRows = 200;

PageContent content_of_study_page() {
  const PageAssets assets = page_assets();
  return {assets.page_css, {assets.study_picture_css, assets.picture_css, assets.stripes_css}, {assets.study_js}};
}

class StudyPage {
 public:
  StudyPage(const StudyTable& table, Sink& sink) : table_(table), sink_(sink) {}

  void write() {
    sink_.write(page_head(table_.identity().title, content_of_study_page()) + "<body>\n<header>\n<h1>" +
                markup_text(table_.identity().title) + "</h1>\n<p class=\"device\">" +
                markup_text(best_sentence(table_)) + "</p>\n" + notes() + headline() + "</header>\n<main>\n");
    sink_.write("<section aria-labelledby=\"points\">\n<h2 id=\"points\">All points</h2>\n<div class=\"study\">\n" +
                study_picture(table_) +
                "</div>\n<p class=\"note\" id=\"readout\">Point at a mark, or go from mark to mark with "
                "the arrow keys.</p>\n</section>\n");
    best_rows();
    other_rows();
    sink_.write("</main>\n<footer>Durations follow from what the scenario says; ranks are by " +
                markup_text(table_.metric().words) + ". " + markup_text(table_.identity().program) + ", study " +
                markup_text(table_.identity().content) + ".</footer>\n" + script_element(page_assets().study_js) +
                "</body>\n</html>\n");
  }

 private:
  std::string headline() const {
    std::string text = "<dl class=\"headline\">";
    const auto item = [&](std::string_view name, const std::string& value) {
      text += "<div><dt>" + markup_text(name) + "</dt><dd>" + markup_text(value) + "</dd></div>";
    };
    item("points", std::to_string(table_.points()));
    for (const PointStatus status :
         {PointStatus::ok, PointStatus::deadlocked, PointStatus::refused, PointStatus::interrupted})
      if (table_.count(status) > 0) item(name_of(status), std::to_string(table_.count(status)));
    return text + "</dl>\n";
  }

  std::string notes() const {
    std::string text;
    for (const std::string& note : table_.identity().notes) text += "<p class=\"note\">" + markup_text(note) + "</p>\n";
    return text;
  }

  using Names = std::span<const std::string_view>;

  std::string head_of_table(const std::string& caption, Names columns) const {
    std::string text = table_box(caption) + "<table><caption>" + markup_text(caption) + "</caption><thead><tr>";
    for (const Axis& axis : table_.space().axes()) text += "<th scope=\"col\">" + markup_text(axis.name) + "</th>";
    for (const std::string& heading : study_columns().headings(columns))
      text += "<th scope=\"col\">" + markup_text(heading) + "</th>";
    return text + "</tr></thead><tbody>\n";
  }

  std::string line_of(const StudyRow& row, Names columns) const {
    std::string text = "<tr>";
    for (std::size_t axis = 0; axis < table_.space().axes().size(); ++axis)
      text += "<td>" + markup_text(table_.space().value(row.ordinal, axis)) + "</td>";
    for (const std::string_view column : columns) {
      const std::string words = words_of(study_columns().column(column).value(row));
      text +=
          (column == "reason" ? "<td class=\"name\">" : "<td>") + markup_text(words.empty() ? "–" : words) + "</td>";
    }
    return text + "</tr>\n";
  }

  void best_rows() {
    if (!table_.is_ranked()) return;
    constexpr std::array<std::string_view, 5> columns{"rank", "duration_ns", "speedup", "mean_occupancy_percent",
                                                      "limiter"};
    std::string text =
        "<section>\n<h2>The best</h2>\n" + head_of_table("By rank; the mean is that of occupancy", columns);
    table_.for_best(kMaxTableRows, [&](const StudyRow& row) { text += line_of(row, columns); });
    sink_.write(text + "</tbody></table></div>\n</section>\n");
  }

  void other_rows() {
    if (table_.count(PointStatus::ok) == table_.points()) return;
    constexpr std::array<std::string_view, 2> columns{"status", "reason"};
    std::string text =
        "<section>\n<h2>Not ok</h2>\n" + head_of_table("The first of those that did not run to their end", columns);
    std::uint64_t shown = 0;
    table_.for_each([&](const StudyRow& row) {
      if (row.result.status != PointStatus::ok && shown++ < kMaxTableRows) text += line_of(row, columns);
    });
    sink_.write(text + "</tbody></table></div>\n</section>\n");
  }

  const StudyTable& table_;
  Sink& sink_;
};

}  // namespace

void write_study_page(const StudyTable& table, Sink& sink) { StudyPage(table, sink).write(); }

namespace {

/// If the largest value of a scale is more than this multiple of the smallest, the scale is logarithmic.
constexpr double kFarApart = 3;
/// The maximum distance of a value on the scale from the third quartile, in multiples of the interquartile range.
constexpr double kFence = 3;

double number(std::int64_t value) { return static_cast<double>(value); }

/// Returns the distances of the values from the best one, from the best to the worst: of their logarithms if all have
/// one.
std::vector<double> distances(const std::vector<std::int64_t>& from_best) {
  const bool have_logarithms = *std::min_element(from_best.begin(), from_best.end()) > 0;
  const auto scaled = [&](std::int64_t value) { return have_logarithms ? std::log2(number(value)) : number(value); };
  std::vector<double> found;
  for (const std::int64_t value : from_best) found.push_back(std::abs(scaled(value) - scaled(from_best.front())));
  return found;
}

/// Returns the number of values, from the best on, that are on the scale.
std::size_t count_on_scale(const std::vector<std::int64_t>& from_best) {
  const std::vector<double> far = distances(from_best);
  const std::size_t last = far.size() - 1;
  const double first_quartile = far[(far.size() + 3) / 4 - 1], third_quartile = far[(3 * far.size() + 3) / 4 - 1];
  const double height = third_quartile - first_quartile;
  if (height <= 0) return far.size();
  const double fence = third_quartile + kFence * height;
  return far[last] <= fence ? far.size()
                            : static_cast<std::size_t>(std::upper_bound(far.begin(), far.end(), fence) - far.begin());
}

}  // namespace

StudyShades::StudyShades(std::vector<std::int64_t> values, bool largest_is_best) : largest_is_best_(largest_is_best) {
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  if (largest_is_best) std::reverse(values.begin(), values.end());
  const std::size_t on_scale = count_on_scale(values);
  best_ = values.front();
  worst_ = values[on_scale - 1];
  has_beyond_ = on_scale < values.size();
  const std::int64_t least = std::min(best_, worst_), most = std::max(best_, worst_);
  is_logarithmic_ = least > 0 && number(most) > kFarApart * number(least);
}

double StudyShades::goodness(std::int64_t value) const {
  const std::int64_t kept = largest_is_best_ ? std::max(value, worst_) : std::min(value, worst_);
  if (best_ == worst_) return value == best_ ? 1 : 0;
  const double share = is_logarithmic_
                           ? std::log2(number(kept) / number(best_)) / std::log2(number(worst_) / number(best_))
                           : number(kept - best_) / number(worst_ - best_);
  return 1 - share;
}

StudyMarks::StudyMarks(const StudyTable& table) : table_(table) {
  table.for_each([this](const StudyRow& row) { rows_.push_back(row); });
  bool is_first = true;
  std::vector<std::int64_t> values;
  for (const StudyRow& row : rows_) {
    const auto one = value(row);
    if (!one) continue;
    min_ = is_first ? *one : std::min(min_, *one);
    max_ = is_first ? *one : std::max(max_, *one);
    is_first = false;
    values.push_back(*one);
  }
  shades_ = StudyShades(std::move(values), table.metric().largest_is_best);
}

std::optional<std::int64_t> StudyMarks::value(const StudyRow& row) const {
  return metric_value(row.result, table_.metric());
}

std::string StudyMarks::words(const StudyRow& row) const {
  const PointResult& result = row.result;
  std::string text = table_.space().name_of(row.ordinal) + ": ";
  if (result.status != PointStatus::ok)
    return text + std::string(name_of(result.status)) + ", " + shortened(result.reason, 200);
  if (result.duration) text += to_rounded_text(Duration{*result.duration});
  if (table_.metric().name != "duration")
    text +=
        (result.duration ? ", " : "") + std::string(table_.metric().words) + " " + metric_text(row, table_.metric());
  if (row.rank) text += fmt::format(", rank {} of {}", *row.rank, table_.count(PointStatus::ok));
  if (row.speedup && row.speedup->numerator != row.speedup->denominator)
    text +=
        fmt::format(", {} times as fast as {}", to_fixed(*row.speedup, 2), table_.space().name_of(*table_.baseline()));
  if (!result.limiter.empty()) text += ", limited by " + result.limiter;
  return text;
}

std::string StudyMarks::open(const StudyRow& row, std::size_t column, std::size_t line) const {
  const bool is_best = row.rank && *row.rank == 1;
  const std::string best_text = markup_text((is_best ? "Best: " : "") + words(row));
  return fmt::format(
      "<g class=\"mark {}{}\" tabindex=\"{}\" role=\"img\" data-at=\"{},{}\" aria-label=\"{}\"><title>{}</title>",
      name_of(row.result.status), is_best ? " best" : "", is_best ? 0 : -1, column, line, best_text, best_text);
}

}  // namespace gdsim
