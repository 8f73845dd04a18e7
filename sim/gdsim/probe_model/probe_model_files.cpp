#include <gdsim/probe_model/probe_model_files.hpp>

#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>
#include <gdsim/probe_model/probed_model.hpp>
#include <gdsim/report/result_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

using Align = TextTable::Align;

/// A value, with the facts of its device.
struct ValueRow {
  const ProbedValue& value;
  const ProbeFacts& facts;
};

std::vector<ValueRow> value_rows(const ProbedModel& model) {
  std::vector<ValueRow> rows;
  for (const ProbedValue& value : model.values) rows.push_back({value, model.facts});
  return rows;
}

const ResultColumns<ValueRow>& value_columns() {
  using Row = ValueRow;
  static const ResultColumns<Row> columns{
      {"path", "key", [](const Row& row) { return row.value.path; }},
      {"value", "value", [](const Row& row) { return row.value.value; }},
      {"origin", "origin", [](const Row& row) { return name_of(row.value.origin); }},
      {"samples", "samples", [](const Row& row) { return row.value.samples; }},
      {"low", "half of them from", [](const Row& row) { return row.value.low; }},
      {"high", "to", [](const Row& row) { return row.value.high; }},
      {"source", "how", [](const Row& row) { return source_of(row.value, row.facts); }}};
  return columns;
}

const ResultColumns<ResidencyCheck>& residency_columns() {
  using Row = ResidencyCheck;
  static const ResultColumns<Row> columns{
      {"run", "", [](const Row& row) { return row.run; }},
      {"threads", "threads", [](const Row& row) { return row.threads; }},
      {"registers", "registers", [](const Row& row) { return row.registers; }},
      {"shared_bytes", "shared bytes", [](const Row& row) { return row.shared_bytes; }},
      {"seen", "seen", [](const Row& row) { return row.seen; }},
      {"reported", "reported", [](const Row& row) { return row.reported; }},
      {"simulated", "gdsim", [](const Row& row) { return row.simulated; }},
      {"agrees", "", [](const Row& row) { return row.agrees(); }}};
  return columns;
}

const ResultColumns<RunComparison>& comparison_columns() {
  using Row = RunComparison;
  static const ResultColumns<Row> columns{
      {"experiment", "experiment", [](const Row& run) { return run.experiment; }},
      {"run", "run", [](const Row& run) { return run.run; }},
      {"held_out", "", [](const Row& run) { return run.is_held_out; }},
      {"blocks", "blocks", [](const Row& run) { return run.blocks; }},
      {"measured_ns", "measured", [](const Row& run) { return Duration{run.measured_ps}; }},
      {"simulated_ns", "simulated",
       [](const Row& run) { return run.problem.empty() ? std::optional(Duration{run.simulated_ps}) : std::nullopt; }},
      {"on_core", "on core", [](const Row& run) { return run.on_core; }},
      {"problem", "", [](const Row& run) { return run.problem; }}};
  return columns;
}

std::string value_lines(const ProbedModel& model) {
  TextTable table({{"key", Align::left, 4}, {"origin", Align::left, 9}, {"samples", Align::right, 8}, {"value"}});
  for (const ProbedValue& value : model.values) {
    const std::string shown = value.value.size() > 60 ? value.value.substr(0, 57) + "..." : value.value;
    std::string what = value.value.empty() ? value.how : shown;
    if (!value.low.empty()) what += fmt::format(" (half from {} to {})", value.low, value.high);
    table.add({value.path, std::string(name_of(value.origin)), value.samples > 0 ? std::to_string(value.samples) : "-",
               printable(what)});
  }
  return table.text();
}

std::string residency_lines(const ProbedModel& model) {
  if (model.residencies.empty()) return "";
  constexpr std::array<std::string_view, 6> shown{"threads", "registers", "shared_bytes",
                                                  "seen",    "reported",  "simulated"};
  std::vector<std::string> headings = residency_columns().headings(shown);
  headings.emplace_back();
  TextTable table(headings);
  for (const ResidencyCheck& row : model.residencies) {
    std::vector<std::string> words = residency_columns().words(row, shown);
    if (!row.registers) words[1] = "-";
    words.emplace_back(row.agrees() ? "" : "do not agree");
    table.add(std::move(words));
  }
  return "\n" + table.text();
}

std::string run_lines(const ProbedModel& model) {
  if (model.runs.empty()) return "";
  TextTable table({{"run", Align::left},
                   {"blocks", Align::right, 8},
                   {"measured", Align::right, 14},
                   {"simulated", Align::right, 14},
                   {"off", Align::right, 9},
                   {"on core", Align::right, 8},
                   {""}});
  for (const RunComparison& run : model.runs) {
    if (!run.problem.empty())
      table.add({printable(run.run), "not simulated: " + printable(run.problem)});
    else
      table.add({printable(run.run), std::to_string(run.blocks), to_rounded_text(Duration{run.measured_ps}),
                 to_rounded_text(Duration{run.simulated_ps}), hundredths_text(run.error()),
                 hundredths_text(run.on_core_share()), run.is_held_out ? "held out" : ""});
  }
  return "\n" + table.text();
}

}  // namespace

std::string hundredths_text(std::uint64_t hundredths) {
  return fmt::format("{}.{:02} %", hundredths / 100, hundredths % 100);
}

std::string comparison_sentence(const ProbedModel& model) {
  std::uint64_t runs = 0;
  std::uint64_t near = 0;
  std::uint64_t held_out = 0;
  std::uint64_t worst = 0;
  std::uint64_t blocks = 0;
  std::uint64_t on_core = 0;
  for (const RunComparison& run : model.runs) {
    if (!run.problem.empty()) continue;
    ++runs;
    near += run.error() <= 100 ? 1U : 0U;
    held_out += run.is_held_out ? 1U : 0U;
    worst = std::max(worst, run.error());
    blocks += run.blocks;
    on_core += run.on_core;
  }
  if (runs == 0) return "No run of the probe could be simulated.";
  return fmt::format(
      "{} of {} runs take as long as simulated within 1 % ({} at most), {} of their blocks are on the core "
      "where they were measured; {} of the runs were held out.",
      near, runs, hundredths_text(worst), hundredths_text(RunComparison::share_of(on_core, blocks)), held_out);
}

std::string probe_model_text(const ProbedModel& model) {
  std::string text = fmt::format("{}: {}, measured on {}, of the family {}\n\n", printable(model.id),
                                 printable(model.facts.device), printable(model.facts.date), printable(model.family));
  text += value_lines(model) + residency_lines(model) + run_lines(model) + "\n" + comparison_sentence(model) + "\n";
  if (model.inference) text += "infer: " + printable(model.inference->sentence) + "\n";
  for (const std::string& note : model.notes) text += "note: " + printable(note) + "\n";
  return text;
}

void write_probe_model_json(const ProbedModel& model, Sink& sink) {
  JsonWriter json;
  json.open_object();
  json.key("device").text(model.id);
  json.key("name").text(model.facts.device);
  json.key("date").text(model.facts.date);
  json.key("family").text(model.family);
  json.key("values");
  value_columns().write_list(value_rows(model), ResultColumns<ValueRow>::Missing::null, json);
  json.key("residency");
  residency_columns().write_list(model.residencies, ResultColumns<ResidencyCheck>::Missing::null, json);
  json.key("runs");
  comparison_columns().write_list(model.runs, ResultColumns<RunComparison>::Missing::null, json);
  json.key("sentence").text(comparison_sentence(model));
  json.key("infer");
  if (model.inference) json.text(model.inference->sentence);
  if (!model.inference) json.none();
  json.key("notes").open_list();
  for (const std::string& note : model.notes) json.text(note);
  json.close_list();
  json.key("left_out").open_list();
  for (const Diagnostic& problem : model.left_out) json.text(to_text(problem));
  json.close_list();
  json.key("schema_version").count(1);
  json.close_object();
  sink.write(json.finish());
}

void write_probe_model_csv(const ProbedModel& model, Sink& sink) { value_columns().write_csv(value_rows(model), sink); }

namespace {

constexpr std::size_t kMaxFigures = 12;
/// The maximum of steps of a line: more are closer than a pixel.
constexpr std::size_t kMaxSteps = 4'000;

std::string section(const std::string& title, const HtmlTable& table) {
  return "<section>\n<h2>" + title + "</h2>\n" + table.finish() + "</section>\n";
}

std::string values_section(const ProbedModel& model) {
  HtmlTable table("What the device's file has, and where it comes from",
                  {"key", "value", "origin", "how", "samples", "half of them from", "to"}, 4);
  for (const ProbedValue& value : model.values)
    table.row({value.path, shortened(value.value, 80), std::string(name_of(value.origin)), value.how,
               value.samples > 0 ? std::to_string(value.samples) : "", value.low, value.high});
  return section("Values", table);
}

std::string residency_section(const ProbedModel& model) {
  if (model.residencies.empty()) return "";
  HtmlTable table(
      "The most blocks on a core at once: measured, reported by the runtime, and by gdsim occupancy; what disagrees "
      "is bold",
      {"run", "threads", "registers", "shared bytes", "measured", "reported", "gdsim"}, 1);
  for (const ResidencyCheck& check : model.residencies)
    table.row({check.run, std::to_string(check.threads), check.registers ? std::to_string(*check.registers) : "",
               std::to_string(check.shared_bytes), std::to_string(check.seen), std::to_string(check.reported),
               std::to_string(check.simulated)},
              check.agrees() ? "" : " class=\"least\"");
  return section("Resident blocks", table);
}

std::string runs_section(const ProbedModel& model) {
  if (model.runs.empty()) return "";
  HtmlTable table("From the first start to the last end; each block lasts as it did, what is compared is its dispatch",
                  {"run", "experiment", "", "blocks", "measured", "simulated", "off", "on their core"}, 3);
  for (const RunComparison& run : model.runs) {
    const std::string blocks = std::to_string(run.blocks);
    if (run.problem.empty())
      table.row({run.run, run.experiment, run.is_held_out ? "held out" : "", blocks,
                 to_rounded_text(Duration{run.measured_ps}), to_rounded_text(Duration{run.simulated_ps}),
                 hundredths_text(run.error()), hundredths_text(run.on_core_share())});
    else
      table.row({run.run, run.experiment, "not simulated: " + run.problem, blocks,
                 to_rounded_text(Duration{run.measured_ps}), "", "", ""});
  }
  return section("Runs", table);
}

/// Blocks over time as steps: an area down to the floor, or a line.
PathData steps_path(const std::vector<ResidentStep>& steps, const TimeScale& time, const ThreadScale& blocks,
                    bool is_area) {
  PathData path;
  const std::size_t every = steps.size() / kMaxSteps + 1;
  bool has_begun = false;
  for (std::size_t i = 0; i < steps.size(); i += every) {
    const std::uint64_t x = time.x(SimTime{steps[i].at});
    if (!has_begun) path.move(x, blocks.height());
    has_begun = true;
    path.across(x).down(blocks.y(steps[i].blocks));
  }
  if (has_begun && is_area) path.down(blocks.height()).close();
  return path;
}

HtmlPlot plot_of(const RunComparison& run, std::size_t number) {
  constexpr std::uint64_t pixels = 150;
  std::uint64_t most = 1;
  for (const auto* steps : {&run.measured, &run.simulated})
    for (const ResidentStep& step : *steps) most = std::max(most, step.blocks);
  const TimeScale time(SimTime{}, SimTime{std::max({run.measured_ps, run.simulated_ps, std::int64_t{1}})});
  const ThreadScale blocks(most);
  HtmlPlot plot;
  plot.id = fmt::format("run{}", number);
  plot.caption = run.experiment + ", " + run.run + (run.is_held_out ? ", held out" : "");
  plot.description =
      fmt::format("Resident blocks over time, at most {}: simulated {}, measured {}", most,
                  to_rounded_text(Duration{run.simulated_ps}), to_rounded_text(Duration{run.measured_ps}));
  plot.shapes = path_element("running", steps_path(run.simulated, time, blocks, true)) +
                path_element("resident", steps_path(run.measured, time, blocks, false));
  plot.height = blocks.height();
  plot.pixels = pixels;
  plot.left = {{0, std::to_string(most)}, {blocks.height(), "0"}};
  plot.time = time.ticks(6);
  return plot;
}

/// The longest runs of each experiment.
std::string figures_section(const ProbedModel& model) {
  std::vector<const RunComparison*> shown;
  for (const RunComparison& run : model.runs)
    if (run.problem.empty() && !run.simulated.empty()) shown.push_back(&run);
  if (shown.empty()) return "";
  std::stable_sort(shown.begin(), shown.end(),
                   [](const RunComparison* a, const RunComparison* b) { return a->measured_ps > b->measured_ps; });
  if (shown.size() > kMaxFigures) shown.resize(kMaxFigures);
  std::string text = fmt::format(
      "<section>\n<h2>Over time</h2>\n<p class=\"note\">Resident blocks of the {} longest runs.</p>\n"
      "<p class=\"legend\"><span><i class=\"running\"></i>simulated</span><span><i "
      "class=\"resident\"></i>measured</span>"
      "</p>\n",
      shown.size());
  for (std::size_t i = 0; i < shown.size(); ++i) text += html_figure(plot_of(*shown[i], i));
  return text + "</section>\n";
}

}  // namespace

void write_probe_model_page(const ProbedModel& model, Sink& sink) {
  const std::string title = model.facts.device + ": measured and simulated";
  std::string text =
      page_head(title, {page_assets().page_css}) + "<body>\n<header>\n<h1>" + markup_text(title) +
      "</h1>\n<p class=\"device\">" +
      markup_text(fmt::format("{}, of the family {}, measured on {}", model.id, model.family, model.facts.date)) +
      "</p>\n<p>" + markup_text(comparison_sentence(model)) + "</p>\n</header>\n<main>\n";
  text += runs_section(model) + figures_section(model) + values_section(model) + residency_section(model);
  text += "<section>\n<h2>Notes</h2>\n";
  if (model.inference) text += "<p class=\"note\">" + markup_text(model.inference->sentence) + "</p>\n";
  for (const std::string& note : model.notes) text += "<p class=\"note\">" + markup_text(note) + "</p>\n";
  for (const Diagnostic& problem : model.left_out)
    text += "<p class=\"note\">Left out: " +
            markup_text(fmt::format("{}:{}: {}", problem.file, problem.line, problem.message)) + "</p>\n";
  sink.write(text + "</section>\n</main>\n</body>\n</html>\n");
}

}  // namespace gdsim
