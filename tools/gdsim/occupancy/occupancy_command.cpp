#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/fit/core.hpp>
#include <gdsim/scenario/occupancy_request.hpp>
#include "occupancy/occupancy_answer.hpp"
#include "occupancy/occupancy_tables.hpp"
#include "occupancy/occupancy_text.hpp"
#include "options/command.hpp"
#include "options/options.hpp"
#include "output/sinks.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim::cli {
namespace {

/// An option and the field that it fills, as text or as an amount in bytes.
struct FieldOption {
  std::string_view option;
  std::string_view field;
};

constexpr std::array<FieldOption, 12> kPlainFields{{{"device", "device"},
                                                    {"local", "local"},
                                                    {"sub-group", "sub_group"},
                                                    {"global", "global"},
                                                    {"registers", "registers"},
                                                    {"accumulation-registers", "accumulation_registers"},
                                                    {"scalar-registers", "scalar_registers"},
                                                    {"barriers", "barriers"},
                                                    {"carveout-percent", "carveout_percent"},
                                                    {"mode", "mode"},
                                                    {"slm-opt-in", "slm_opt_in"},
                                                    {"cluster", "cluster"}}};
constexpr std::array<FieldOption, 3> kAmounts{
    {{"slm", "slm_bytes"}, {"slm-dynamic", "slm_dynamic_bytes"}, {"max-dynamic-slm", "max_dynamic_slm_bytes"}}};

/// A value that cannot be read is added to `problems` and leaves its field unset.
OccupancyFields fields_of(const Options& options, Diagnostics& problems) {
  OccupancyFields fields;
  for (const auto& [option, field] : kPlainFields)
    if (const auto value = options.value(option)) fields.emplace(field, *value);
  for (const auto& [option, field] : kAmounts) {
    const auto value = options.value(option);
    if (!value) continue;
    const Parsed<Bytes> amount = parse_bytes(*value);
    if (amount.value) fields.emplace(field, std::to_string(amount.value->count));
    if (!amount.value) problems.add({}, "--" + std::string(option) + ": " + in_quotes(*value) + " " + amount.problem);
  }
  if (options.has("large-grf")) fields.emplace("large_grf", "1");
  return fields;
}

/// Reads the request. Problems name the options, not their fields.
OccupancyRequest request_of(OccupancyRequestReader& reader, const OccupancyFields& fields, const Diagnostics& known) {
  try {
    return reader.read(fields, known);
  } catch (const InputError& error) {
    std::vector<Diagnostic> problems = error.problems();
    for (Diagnostic& problem : problems) {
      const std::string field = problem.message.substr(0, problem.message.find(':'));
      const auto is_meant = [&](const FieldOption& option) { return option.field == field; };
      const auto option = std::find_if(kPlainFields.begin(), kPlainFields.end(), is_meant);
      if (option == kPlainFields.end()) continue;
      problem.message = "--" + std::string(option->option) + problem.message.substr(field.size());
    }
    throw InputError(std::move(problems));
  }
}

std::optional<Varied> parse_varied(const std::string& word, Diagnostics& problems) {
  constexpr std::array<std::string_view, 3> known{"local", "registers", "slm"};
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known[i] == word) return static_cast<Varied>(i);
  problems.add({}, "--vary is " + in_quotes(word) + "; " + known_names(word, known));
  return std::nullopt;
}

/// One call of `gdsim occupancy`.
class OccupancyCall {
 public:
  explicit OccupancyCall(CommandContext& context)
      : options_(context.options),
        out_(context.out),
        sources_(context.inputs),
        models_(model_folders(context.options), sources_) {
    if (!options_.arguments().empty()) require_fit_for_compiled(options_);
    if (options_.arguments().empty() && options_.has("kernel"))
      throw UsageError(
          "--kernel chooses from a file of compiled kernels; name one: gdsim occupancy FILE --kernel REGEX");
    format_ = options_.value("format").value_or("text");
    if (format_ != "text" && format_ != "json" && format_ != "csv" && format_ != "ncu")
      problems_.add({}, "--format is " + in_quotes(format_) + "; known: text, json, csv, ncu");
    if (const auto vary = options_.value("vary")) {
      varied_ = parse_varied(*vary, problems_);
    } else if (options_.has("plot")) {
      problems_.add({}, "--plot needs --vary local, registers or slm");
    }
    if (varied_ == Varied::local && options_.value("sub-group") == "auto")
      problems_.add({}, "--sub-group auto is chosen for one --local; with --vary local, name a size");
    if (options_.has("plot") && format_ != "text")
      problems_.add({}, "--plot is text; --format " + format_ + " has no plot");
    if (options_.has("table")) require_nothing_beside_table();
    if (format_ == "ncu" && (options_.has("cooperative") || (varied_ && options_.arguments().empty())))
      problems_.add({},
                    "--format ncu shows no curve and no cooperative launch; remove --vary, --cooperative or --format");
    if (options_.has("cooperative") && (varied_ || !options_.arguments().empty()))
      problems_.add({}, "--cooperative takes one kernel described by options; remove FILE or --vary");
  }

  ExitStatus run() {
    if (!options_.arguments().empty()) return answer_compiled();
    if (const auto table = options_.value("table")) {
      problems_.throw_if_any();
      const ExitStatus status = write_occupancy_table(*table, models_, sources_, out_);
      out_.flush();
      return status;
    }
    OccupancyRequestReader reader(models_, ".");  // owns the device that the request names
    const OccupancyFields fields = fields_of(options_, problems_);
    const OccupancyRequest request = request_of(reader, fields, problems_);
    ExitStatus status = ExitStatus::done;
    if (varied_) {
      show_curve(request, *varied_);
    } else {
      status = show(request);
    }
    out_.flush();
    return status;
  }

 private:
  ExitStatus answer_compiled() {
    problems_.throw_if_any();
    CompiledQuery query{options_.arguments(), options_.value("device").value_or(""),
                        options_.value("kernel").value_or(""), count_option(options_, "local"),
                        bytes_option(options_, "slm-dynamic")};
    OccupancyRequestReader reader(models_, ".");
    const CompiledAnswer answer = read_compiled_input(query, models_, sources_, reader);
    const CompiledOccupancy occupancy(answer, varied_ == Varied::local);
    if (format_ == "json") {
      out_.write(occupancy.json());
    } else if (format_ == "ncu") {
      out_.show(occupancy.ncu_text());
    } else if (format_ == "csv") {
      occupancy.write_csv(out_);
    } else {
      out_.show(occupancy.text());
    }
    out_.flush();
    return ExitStatus::done;
  }

  /// Refuses options beside --table: the rows hold the requests, and their answers are rows.
  void require_nothing_beside_table() {
    const auto refuse = [&](std::string_view option, const char* why) {
      if (options_.has(option)) problems_.add({}, "--table takes no --" + std::string(option) + ": " + why);
    };
    for (const auto& [option, field] : kPlainFields) refuse(option, "every row has its own");
    for (const auto& [option, field] : kAmounts) refuse(option, "every row has its own");
    refuse("large-grf", "every row has its own");
    refuse("vary", "it answers every row as it is");
    refuse("plot", "it answers every row as it is");
    refuse("cooperative", "a table has no column for it");
    if (options_.has("format") && format_ != "csv") problems_.add({}, "--table answers as csv, not as " + format_);
  }

  /// Returns bad_input if the device refuses the kernel, as its run would.
  ExitStatus show(const OccupancyRequest& request) {
    const Occupancy occupancy = occupancy_of(request.kernel, *request.device, request.global);
    const auto cooperative = options_.has("cooperative") ? AskedCooperative::yes : AskedCooperative::no;
    if (cooperative == AskedCooperative::yes && request.device->kind == DeviceKind::family)
      throw UsageError("--cooperative: " + request.device->id +
                       " is a family and has no core count; name a product (`gdsim devices`)");
    if (format_ == "json") {
      out_.write(occupancy_json(request.kernel, *request.device, occupancy, cooperative));
    } else if (format_ == "ncu") {
      require_ncu_device(*request.device);
      out_.show(ncu_device_text(*request.device) + ncu_kernel_text("", request.kernel, *request.device, occupancy));
    } else if (format_ == "csv") {
      ResultColumns<Occupancy> columns =
          answer_columns(options_.has("cluster") ? AnswerClusters::yes : AnswerClusters::no);
      if (cooperative == AskedCooperative::yes)
        columns.add({"cooperative_work_groups", "", [&](const Occupancy&) {
                       return max_co_resident(request.kernel, *request.device, request.device->dispatch, {});
                     }});
      columns.write_csv(std::array{occupancy}, out_);
    } else {
      out_.show(occupancy_text(request.kernel, *request.device, occupancy, cooperative));
    }
    return occupancy.status == FitStatus::ok ? ExitStatus::done : ExitStatus::bad_input;
  }

  void show_curve(const OccupancyRequest& request, Varied varied) {
    if (varied == Varied::registers && !request.device->registers)
      throw UsageError("--vary registers: " + request.device->id + " does not allocate registers");
    const auto curve = occupancy_curve(request.kernel, *request.device, varied);
    if (options_.has("plot")) {
      out_.show(curve_plot(curve, varied));
    } else if (format_ == "json") {
      out_.write(curve_json(curve, varied));
    } else if (format_ == "csv") {
      write_curve_csv(curve, varied, out_);
    } else {
      out_.show(curve_text(curve, varied, request.device->terms));
    }
  }

  const Options& options_;
  StandardOutput& out_;
  SourceFiles sources_;
  ModelLibrary models_;
  std::string format_;
  std::optional<Varied> varied_;
  Diagnostics problems_;  ///< of the options
};

ExitStatus run_occupancy(CommandContext& context) { return OccupancyCall(context).run(); }

}  // namespace

Command occupancy_command() {
  CommandSpec spec{
      "occupancy",
      "[FILE...] --device NAME --local N [--sub-group N]",
      "how many work-groups fit on a core, and why not more",
      "Shows how many work-groups of a kernel are resident on a core at once, what limits them, and the\n"
      "smallest change that lets one more fit. `gdsim run` places work-groups by the same rules. If FILE holds\n"
      "compiled kernels, as `gdsim import` reads them, the answer is a table with a row for each.\n"
      "The file of --table has the columns device, local, sub_group, global, slm (or slm_bytes), registers and\n"
      "so on; write each amount with its unit. It may have notes of your own in the columns name, kernel, case,\n"
      "comment and source, and in columns whose names begin with note or expected.\n"
      "Exit status: 0 done, 2 bad input, or the kernel that options describe is refused or does not fit.",
      "  gdsim occupancy --device xe-lp-tgl --local 256 --sub-group 8 --slm \"8 KiB\" --barriers 1\n"
      "  gdsim occupancy --device a100-80gb --local 256 --sub-group 32 --registers 72 --global 1048576\n"
      "  gdsim occupancy --device mi300x --local 256 --sub-group 64 --registers 90 --vary registers --plot\n"
      "  gdsim occupancy --table kernels.csv > answers.csv\n"
      "  gdsim occupancy app --device h100-sxm --kernel gemm --vary local",
      {{"device", 0, "NAME", "a model (`gdsim devices`) or a device file"},
       {"local", 0, "N", "work-items per work-group: 256 or 16,16"},
       {"sub-group", 0, "N",
        "work-items per thread, or auto: the largest that divides --local (default: the only size of the device)"},
       {"global", 0, "N", "work-items of the launch, for waves and tail"},
       {"slm", 0, "AMOUNT", "shared local memory per work-group, as in 8KiB"},
       {"registers", 0, "N", "registers as the compiler prints them: per work-item; on Intel GRFs per thread"},
       {"accumulation-registers", 0, "N", "accumulation registers per work-item"},
       {"scalar-registers", 0, "N", "scalar registers per thread"},
       {"barriers", 0, "N", "barrier registers per work-group"},
       {"carveout-percent", 0, "N", "how much of SLM and cache should be SLM"},
       {"slm-dynamic", 0, "AMOUNT", "the part of --slm that is given at launch"},
       {"max-dynamic-slm", 0, "AMOUNT", "the maximum of dynamic SLM that the kernel opted in for"},
       {"slm-opt-in", 0, "0|1", "whether it opted in for more SLM than the default (default 1)"},
       {"large-grf", 0, "", "compiled for 256 GRFs per thread (Intel)"},
       {"mode", 0, "NAME", "one of the device's modes: cu, wgp"},
       {"cluster", 0, "N", "work-groups that are placed together: 8 or 2,4"},
       {"cooperative", 0, "", "also the largest cooperative launch: all resident at once"},
       {"format", 0, "FORMAT", "text (default), json, csv or ncu: the tables of Nsight Compute's calculator",
        Times::once, "text json csv ncu"},
       {"vary", 0, "WHAT", "the curve over local, registers or slm", Times::once, "local registers slm"},
       {"plot", 0, "", "draw the curve"},
       {"kernel", 0, "REGEX", "of FILE, only kernels in whose names this regular expression is found (RE2 syntax)"},
       {"table", 0, "FILE.csv", "answer every row of a table (- for standard input)"}}};
  put_in_group(spec, "Describe the kernel",
               {"device", "local", "sub-group", "global", "slm", "registers", "accumulation-registers",
                "scalar-registers", "barriers", "carveout-percent", "slm-dynamic", "max-dynamic-slm", "slm-opt-in",
                "large-grf", "mode", "cluster", "cooperative"});
  put_in_group(spec, "Ask about several", {"kernel", "table", "vary", "plot"});
  put_in_group(spec, kWhatIsWritten, {"format"});
  return {spec, run_occupancy};
}

}  // namespace gdsim::cli
