#include <gdsim/probe_model/model_yaml.hpp>
#include <gdsim/probe_model/probe_model_files.hpp>
#include <gdsim/report/html/html_plot.hpp>
#include <gdsim/report/html/page_head.hpp>
#include <gdsim/report/markup.hpp>
#include <gdsim/report/plot/path_data.hpp>
#include <gdsim/report/plot/plot_scale.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
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
