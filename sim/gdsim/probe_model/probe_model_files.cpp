#include <gdsim/probe_model/probe_model_files.hpp>

#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>
#include <gdsim/probe_model/probed_model.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

std::string value_lines(const ProbedModel& model) {
  std::size_t width = 4;
  for (const ProbedValue& value : model.values) width = std::max(width, value.path.size());
  std::string text = fmt::format("{:<{}}  {:<9}  {:>8}  value\n", "key", width, "origin", "samples");
  for (const ProbedValue& value : model.values) {
    const std::string shown = value.value.size() > 60 ? value.value.substr(0, 57) + "..." : value.value;
    std::string what = value.value.empty() ? value.how : shown;
    if (!value.low.empty()) what += fmt::format(" (half from {} to {})", value.low, value.high);
    text += fmt::format("{:<{}}  {:<9}  {:>8}  {}\n", value.path, width, name_of(value.origin),
                        value.samples > 0 ? std::to_string(value.samples) : "-", printable(what));
  }
  return text;
}

std::string residency_lines(const ProbedModel& model) {
  if (model.residencies.empty()) return "";
  std::string text = fmt::format("\n{:>7}  {:>9}  {:>12}  {:>6}  {:>8}  {:>5}\n", "threads", "registers",
                                 "shared bytes", "seen", "reported", "gdsim");
  for (const ResidencyCheck& one : model.residencies)
    text += fmt::format("{:>7}  {:>9}  {:>12}  {:>6}  {:>8}  {:>5}{}\n", one.threads,
                        one.registers ? std::to_string(*one.registers) : "-", one.shared_bytes, one.seen, one.reported,
                        one.simulated, one.agrees() ? "" : "  do not agree");
  return text;
}

std::string run_lines(const ProbedModel& model) {
  if (model.runs.empty()) return "";
  std::size_t width = 3;
  for (const RunComparison& run : model.runs) width = std::max(width, printable(run.run).size());
  std::string text = fmt::format("\n{:<{}}  {:>8}  {:>14}  {:>14}  {:>9}  {:>8}\n", "run", width, "blocks", "measured",
                                 "simulated", "off", "on core");
  for (const RunComparison& run : model.runs) {
    if (!run.problem.empty()) {
      text += fmt::format("{:<{}}  not simulated: {}\n", printable(run.run), width, printable(run.problem));
      continue;
    }
    text += fmt::format("{:<{}}  {:>8}  {:>14}  {:>14}  {:>9}  {:>8}{}\n", printable(run.run), width, run.blocks,
                        to_rounded_text(Duration{run.measured_ps}), to_rounded_text(Duration{run.simulated_ps}),
                        hundredths_text(run.error()), hundredths_text(run.on_core_share()),
                        run.is_held_out ? "  held out" : "");
  }
  return text;
}

void write_values(const ProbedModel& model, JsonWriter& json) {
  json.key("values").open_list();
  for (const ProbedValue& value : model.values) {
    json.open_object();
    json.key("path").text(value.path);
    json.key("value");
    if (value.value.empty()) json.none();
    if (!value.value.empty()) json.text(value.value);
    json.key("origin").text(name_of(value.origin));
    json.key("samples").count(value.samples);
    json.key("low");
    if (value.low.empty()) json.none();
    if (!value.low.empty()) json.text(value.low);
    json.key("high");
    if (value.high.empty()) json.none();
    if (!value.high.empty()) json.text(value.high);
    json.key("source").text(source_of(value, model.facts));
    json.close_object();
  }
  json.close_list();
}

void write_runs(const ProbedModel& model, JsonWriter& json) {
  json.key("residency").open_list();
  for (const ResidencyCheck& one : model.residencies) {
    json.open_object();
    json.key("run").text(one.run);
    json.key("threads").count(one.threads);
    json.key("shared_bytes").count(static_cast<std::uint64_t>(one.shared_bytes));
    json.key("seen").count(one.seen);
    json.key("reported").count(one.reported);
    json.key("simulated").count(one.simulated);
    json.key("agrees").truth(one.agrees());
    json.close_object();
  }
  json.close_list();
  json.key("runs").open_list();
  for (const RunComparison& run : model.runs) {
    json.open_object();
    json.key("experiment").text(run.experiment);
    json.key("run").text(run.run);
    json.key("held_out").truth(run.is_held_out);
    json.key("blocks").count(run.blocks);
    json.key("measured_ns").time(Duration{run.measured_ps});
    json.key("simulated_ns");
    if (run.problem.empty()) json.time(Duration{run.simulated_ps});
    if (!run.problem.empty()) json.none();
    json.key("on_core").count(run.on_core);
    json.key("problem");
    if (run.problem.empty()) json.none();
    if (!run.problem.empty()) json.text(run.problem);
    json.close_object();
  }
  json.close_list();
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
  write_values(model, json);
  write_runs(model, json);
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

void write_probe_model_csv(const ProbedModel& model, Sink& sink) {
  CsvWriter csv(sink, {"path", "value", "origin", "samples", "low", "high", "source"});
  for (const ProbedValue& value : model.values) {
    csv.text(value.path).text(value.value).text(name_of(value.origin)).count(value.samples).text(value.low);
    csv.text(value.high).text(source_of(value, model.facts)).end_row();
  }
  csv.finish();
}

namespace {

constexpr std::size_t kMaxFigures = 12;
/// The maximum of steps of a line: more are closer than a pixel.
constexpr std::size_t kMaxSteps = 4'000;

std::string cell(std::string_view text) { return "<td>" + markup_text(text) + "</td>"; }
std::string words(std::string_view text) { return "<td class=\"words name\">" + markup_text(text) + "</td>"; }

std::string head_of_table(const std::string& caption, std::initializer_list<std::string_view> columns) {
  std::string text = table_box(caption) + "<table><caption>" + markup_text(caption) + "</caption><thead><tr>";
  for (const std::string_view column : columns) text += "<th scope=\"col\">" + markup_text(column) + "</th>";
  return text + "</tr></thead><tbody>\n";
}

constexpr std::string_view kEndOfTable = "</tbody></table></div>\n";

std::string values_section(const ProbedModel& model) {
  std::string text = "<section>\n<h2>Values</h2>\n" +
                     head_of_table("What the device's file has, and where it comes from",
                                   {"key", "value", "origin", "samples", "half of them from", "to", "how"});
  for (const ProbedValue& value : model.values)
    text += "<tr><th scope=\"row\" class=\"name\">" + markup_text(value.path) + "</th>" +
            cell(shortened(value.value, 80)) + cell(name_of(value.origin)) +
            cell(value.samples > 0 ? std::to_string(value.samples) : "") + cell(value.low) + cell(value.high) +
            words(value.how) + "</tr>\n";
  return text + std::string(kEndOfTable) + "</section>\n";
}

std::string residency_section(const ProbedModel& model) {
  if (model.residencies.empty()) return "";
  std::string text = "<section>\n<h2>Resident blocks</h2>\n" +
                     head_of_table(
                         "The most blocks on a core at once: measured, reported by the runtime, and by gdsim "
                         "occupancy; what disagrees is bold",
                         {"run", "threads", "registers", "shared bytes", "measured", "reported", "gdsim"});
  for (const ResidencyCheck& one : model.residencies)
    text += fmt::format("<tr{}><th scope=\"row\" class=\"name\">{}</th>{}{}{}{}{}{}</tr>\n",
                        one.agrees() ? "" : " class=\"least\"", markup_text(one.run), cell(std::to_string(one.threads)),
                        cell(one.registers ? std::to_string(*one.registers) : ""),
                        cell(std::to_string(one.shared_bytes)), cell(std::to_string(one.seen)),
                        cell(std::to_string(one.reported)), cell(std::to_string(one.simulated)));
  return text + std::string(kEndOfTable) + "</section>\n";
}

std::string runs_section(const ProbedModel& model) {
  if (model.runs.empty()) return "";
  std::string text =
      "<section>\n<h2>Runs</h2>\n" +
      head_of_table(
          "From the first start to the last end; each block lasts as it did, what is compared is its dispatch",
          {"run", "experiment", "blocks", "measured", "simulated", "off", "on their core", ""});
  for (const RunComparison& run : model.runs) {
    text += "<tr><th scope=\"row\" class=\"name\">" + markup_text(run.run) + "</th>" + cell(run.experiment) +
            cell(std::to_string(run.blocks)) + cell(to_rounded_text(Duration{run.measured_ps}));
    if (run.problem.empty()) {
      text += cell(to_rounded_text(Duration{run.simulated_ps})) + cell(hundredths_text(run.error())) +
              cell(hundredths_text(run.on_core_share())) + cell(run.is_held_out ? "held out" : "");
    } else {
      text += "<td colspan=\"4\" class=\"words name\">not simulated: " + markup_text(run.problem) + "</td>";
    }
    text += "</tr>\n";
  }
  return text + std::string(kEndOfTable) + "</section>\n";
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
