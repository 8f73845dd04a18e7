#include "compiled/compiled_input.hpp"
#include "import/imports.hpp"
#include "options/command.hpp"
#include "options/options.hpp"
#include "output/named_outputs.hpp"
#include "terminal/log.hpp"

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/scenario/plan_times.hpp>
#include <gdsim/import/profiles/text/text_profiles.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim::cli {
namespace {

/// Throws InputError if the device file cannot be used; it is not written then.
void require_device(const std::string& text, const std::string& file, ModelLibrary& models, SourceFiles& sources) {
  const SourceText& source = sources.keep("the device of " + file, text);
  Diagnostics problems;
  if (const auto node = read_yaml(source, problems))
    static_cast<void>(read_device(*node, ".", models, ValueReader(problems)));
  problems.throw_if_any();
}

void report_unused(const GpgpuSimConfig& config) {
  constexpr std::size_t few = 12;
  std::string names;
  for (std::size_t i = 0; i < config.unused.size() && i < few; ++i)
    names += (i == 0 ? "" : ", ") + printable(config.unused[i]);
  if (config.unused.size() > few) names += fmt::format(" and {} more", config.unused.size() - few);
  if (!names.empty()) log_report("note: options that were not used: " + names);
}

}  // namespace

bool is_simulator_config(const ProfileInput& input) { return is_gpgpusim_config(input.head()); }

ExitStatus import_config(CommandContext& context, const ProfileInput& input, ModelLibrary& models,
                         SourceFiles& sources) {
  const std::string output = context.options.value("output").value_or("-");
  const GpgpuSimConfig config = read_gpgpusim_config(input.text());
  const std::string name = output == "-" ? "gpgpusim" : std::filesystem::path(output).stem().string();
  const std::string file = std::filesystem::path(input.name()).filename().string();
  const std::string text = device_file_of(config, name, file);
  require_device(text, input.name(), models, sources);
  write_imported(context, [&](Sink& sink) { sink.write(text); });
  log_report(
      fmt::format("read: {} (GPGPU-Sim's configuration): a device on {}; caches and memory are the family's, of "
                  "which most have none",
                  printable(input.name()), config.family));
  report_unused(config);
  return ExitStatus::done;
}

namespace {

namespace fs = std::filesystem;

/// One call of `gdsim import`.
class ImportCall {
 public:
  explicit ImportCall(CommandContext& context)
      : context_(context),
        options_(context.options),
        sources_(context.inputs),
        models_(model_folders(context.options), sources_),
        reader_(models_, ".") {
    query_.files = options_.arguments();
    if (query_.files.empty())
      throw UsageError("import needs at least one file: a profile, or what a compiler of kernels has made");
    query_.device = options_.value("device").value_or("");
    query_.kernel = options_.value("kernel").value_or("");
    query_.block = product_of("block");
    query_.wants_program = options_.has("program");
    query_.machine_code = options_.value("cubin").value_or("");
    query_.shared = bytes_option(options_, "shared");
    grid_ = product_of("grid");
    output_ = options_.value("output").value_or("-");
    if (output_.empty()) throw UsageError("--output is empty");
    require_suffix(output_, {".yaml", ".yml"});
  }

  ExitStatus run() {
    if (const std::vector<ProfileInput> profiles = profiles_given(); !profiles.empty()) {
      refuse_options({"block", "grid", "shared", "program", "arg", "trips", "branch", "gather", "warm", "cubin"},
                     "compiled kernels; a profile holds how kernels were launched");
      if (is_simulator_config(profiles.front())) return import_simulator(profiles);
      return import_profile(context_, profiles, models_, sources_);
    }
    refuse_options({"from", "to", "top", "exact", "merge", "devices", "link"},
                   "profiles; this is a file of compiled kernels");
    require_fit_for_program();
    CompiledAnswer answer = read_compiled_input(query_, models_, sources_, reader_);
    ImportedScenario scenario;
    scenario.title = title_of(answer);
    scenario.device = reference_seen_from(answer.device, output_);
    scenario.notes = answer.notes;
    scenario.device_has_memory = answer.entries.front().request.device->memory.has_value();
    Diagnostics problems;
    for (CompiledEntry& entry : answer.entries) place(entry, problems);
    problems.throw_if_any();
    if (query_.wants_program) add_program(answer, options_, models_, sources_);
    scenario.peak_percent = peak_of(answer);
    for (CompiledEntry& entry : answer.entries) scenario.kernels.push_back(std::move(entry.kernel));
    write_imported(context_, [&](Sink& sink) { write_imported_scenario(scenario, sink); });
    report(scenario);
    return ExitStatus::done;
  }

 private:
  /// Returns the files if they are profiles; empty if they are compiled kernels.
  std::vector<ProfileInput> profiles_given() {
    std::vector<ProfileInput> found;
    std::string other;
    for (const std::string& name : query_.files) {
      ProfileInput input = name == "-" ? ProfileInput("<stdin>", sources_.read("-").text()) : ProfileInput(name);
      const bool is_program = query_.wants_program && is_ptx(input.head());
      if (!is_program && (is_profile(input) || is_simulator_config(input))) {
        if (name != "-") context_.inputs.add(name, "a profile");
        found.push_back(std::move(input));
      } else {
        other = name;
      }
    }
    if (!found.empty() && !other.empty())
      throw UsageError(fmt::format("{} is a profile and {} is none; one kind is imported at a time",
                                   in_quotes(found.front().name()), in_quotes(other)));
    return found;
  }

  ExitStatus import_simulator(const std::vector<ProfileInput>& configs) {
    refuse_options({"device", "kernel", "from", "to", "top", "exact", "merge", "devices", "link"},
                   "launches; the configuration of a simulator becomes a device");
    if (configs.size() > 1) throw UsageError("one configuration of a simulator is imported at a time");
    return import_config(context_, configs.front(), models_, sources_);
  }

  void refuse_options(std::initializer_list<std::string_view> names, std::string_view meant_for) const {
    for (const std::string_view name : names)
      if (options_.has(name)) throw UsageError(fmt::format("--{} is for {}", name, meant_for));
  }

  /// Returns the total of work-items or work-groups of an option such as `--grid 32,32`.
  std::optional<std::uint64_t> product_of(std::string_view name) const {
    const auto extent = extent_option(options_, name);
    return extent ? std::optional((*extent)[0] * (*extent)[1] * (*extent)[2]) : std::nullopt;
  }

  void require_fit_for_program() const {
    if (!query_.wants_program)
      for (const std::string_view name : kProgramOptions)
        if (options_.has(name))
          throw UsageError(fmt::format("--{} goes with --program, which makes steps of PTX or AMDGPU assembly", name));
    if (query_.wants_program && query_.files.size() != 1)
      throw UsageError(
          "--program makes the steps of a kernel of one file of PTX or AMDGPU assembly; one file is needed");
    if (query_.wants_program) static_cast<void>(program_options(options_));
  }

  static std::string title_of(const CompiledAnswer& answer) {
    const std::size_t kernels = answer.entries.size();
    return fmt::format("{} kernel{} of {} on {}", kernels, kernels == 1 ? "" : "s",
                       fs::path(answer.entries.front().kernel.file).filename().string(),
                       answer.entries.front().request.device->id);
  }

  /// Chooses the number of work-groups to launch. Adds a problem if no work-group of the kernel fits the device.
  void place(CompiledEntry& entry, Diagnostics& problems) const {
    const OccupancyRequest& request = entry.request;
    const Occupancy occupancy = occupancy_of(request.kernel, *request.device, request.global);
    for (const Issue& refusal : occupancy.refusals)
      problems.add(Diagnostic{
          std::string(refusal.code), entry.kernel.key + ": " + refusal.message, entry.kernel.file, 0, 0, {}});
    if (occupancy.status != FitStatus::ok) return;
    const std::uint64_t cluster = std::max<std::uint64_t>(request.kernel.cluster_size(), 1);
    const std::uint64_t held = occupancy.active_clusters
                                   ? *occupancy.active_clusters * cluster
                                   : occupancy.work_groups_per_core * std::uint64_t{request.device->cores};
    entry.kernel.groups = grid_.value_or(held);
    entry.kernel.groups_origin = grid_ ? "--grid" : "as many as the device holds at once";
    if (entry.kernel.groups % cluster != 0)
      problems.add({}, fmt::format("{}: --grid {} is no multiple of its clusters of {} work-groups", entry.kernel.key,
                                   entry.kernel.groups, cluster));
  }

  /// Returns nullopt unless each kernel fills the device with whole work-groups, none of which ends meanwhile.
  static std::optional<std::string> peak_of(const CompiledAnswer& answer) {
    std::optional<Ratio> peak;
    for (const CompiledEntry& entry : answer.entries) {
      const OccupancyRequest& request = entry.request;
      const Occupancy occupancy = occupancy_of(request.kernel, *request.device, request.global);
      const std::uint64_t held = occupancy.work_groups_per_core * std::uint64_t{request.device->cores};
      const bool has_steps = entry.kernel.program && !entry.kernel.program->steps.is_empty();
      const bool fills = !has_steps && entry.kernel.groups >= held && request.kernel.cluster_size() <= 1 &&
                         request.device->dispatch.admission == Admission::whole;
      if (!fills) return std::nullopt;
      const auto is_less = [](const Ratio& a, const Ratio& b) {
        return a.numerator * b.denominator < b.numerator * a.denominator;
      };
      if (!peak || is_less(*peak, occupancy.percent)) peak = occupancy.percent;
    }
    return peak ? std::optional(to_fixed(*peak, 1)) : std::nullopt;
  }

  /// Prints to standard error what slows kernels down and what was left out.
  static void report(const ImportedScenario& scenario) {
    for (const ImportedKernel& kernel : scenario.kernels)
      if (const std::string words = spill_words(kernel.compiled, kernel.plan.block); !words.empty())
        log_warning(kernel.key + ": " + words);
    for (const ImportedKernel& kernel : scenario.kernels)
      if (kernel.program)
        for (const std::string& reason : kernel.program->reasons)
          log_warning(kernel.key + ": no steps, and no duration: " + reason);
    for (const std::string& note : scenario.notes) log_info(note);
  }

  CommandContext& context_;
  const Options& options_;
  SourceFiles sources_;
  ModelLibrary models_;
  OccupancyRequestReader reader_;
  CompiledQuery query_;
  std::optional<std::uint64_t> grid_;
  std::string output_;
};

ExitStatus run_import(CommandContext& context) {
  try {
    return ImportCall(context).run();
  } catch (const ImportStopped&) {
    log_warning("interrupted; nothing is written");
    return ExitStatus::interrupted;
  }
}

}  // namespace

Command import_command() {
  return {
      {"import",
       "FILE...",
       "a profile or a compiled kernel becomes a scenario",
       "Makes a scenario of a profile, of compiled kernels, or of PTX. gdsim recognises FILE by its content.\n"
       "\n"
       "Profiles, also compressed by gzip: PyTorch's profiler (Kineto JSON), Nsight Systems (SQLite, or CSV of\n"
       "cuda_gpu_trace), Nsight Compute (.ncu-rep, CSV, text), nvprof, rocprofv3 (CSV, rocpd), rocprof,\n"
       "rocprof-compute, unitrace, VTune, Accel-Sim, Balar, and CSV with columns of your own: name, start_ns,\n"
       "duration_ns (or _us, _ms), grid or grid_x, block or block_x, registers, shared_memory,\n"
       "dynamic_shared_memory, stream, device. You may add further files that describe the kernels or the device\n"
       "of a profile. In the scenario, each launch begins and lasts as measured: gdsim fits the computing time\n"
       "of its work-groups. Launches of equal shape share a kernel if their durations differ by at most 0.5 %.\n"
       "`gdsim check` says whether each launch is within 1 % of the measurement. gdsim prints what it assumed or\n"
       "left out on standard error.\n"
       "\n"
       "Compiled kernels: an NVIDIA cubin or fatbin, an AMD code object or offload bundle, an Intel zebin, an\n"
       "executable, object or library that contains one, or a text: `ptxas -v`, `cuobjdump\n"
       "--dump-resource-usage`, AMD assembly, .ze_info, and what hipcc prints with\n"
       "-Rpass-analysis=kernel-resource-usage. Such a file does not say what threads do, so the scenario has\n"
       "`program: placeholder`: `gdsim run` shows the occupancy, but no duration. `gdsim occupancy FILE` needs\n"
       "no scenario.\n"
       "\n"
       "PTX, with --program: gdsim executes the instructions that compute addresses, branches and trip counts.\n"
       "The values of loaded data are unknown. If an address, branch or trip count depends on them, an error\n"
       "names the line and the option that gives the value. Comments of the scenario list bounds, and the\n"
       "sectors and bank conflicts of each access.\n"
       "\n"
       "AMDGPU assembly with metadata (hipcc --offload-device-only -S) for gfx9, gfx10 or gfx11, with --program:\n"
       "the same, of waves. An instruction that no step stands for is refused with its line.\n"
       "\n"
       "A gpgpusim.config becomes a device file.\n"
       "Exit status: 0 done, 2 bad input, 130 interrupted (nothing is written).",
       "  gdsim import trace.json.gz -o step.yaml && gdsim check step.yaml\n"
       "  gdsim import kernels.csv --device h100-sxm --top 5 -o top.yaml\n"
       "  gdsim import gemm.cubin --device a100-80gb -o gemm.yaml\n"
       "  nvcc -arch=sm_90 -Xptxas -v -c gemm.cu 2> gemm.txt; gdsim import gemm.txt -o gemm.yaml\n"
       "  hipcc -Rpass-analysis=kernel-resource-usage -c gemm.hip 2> gemm.txt && gdsim import gemm.txt \\\n"
       "      --device mi300x -o gemm.yaml\n"
       "  gdsim import gemm.ptx --program --cubin gemm.txt --kernel tiled --device rtx-a6000 \\\n"
       "      --grid 128,128 --block 32,32 --arg 0=4096 -o gemm.yaml\n"
       "  gdsim import app --device mi300x --kernel 'stencil' --block 512 --shared 16KiB -o stencil.yaml",
       {{"output", 'o', "FILE.yaml", "write the scenario there (default: standard output)"},
        {"device", 0, "NAME",
         "a model or a device file (default: the one of the profile; the family that FILE is compiled for)"},
        {"kernel", 0, "REGEX",
         "only the kernel of this name, or kernels in whose names this regular expression is found (RE2 syntax)"},
        {"from", 0, "TIME", "of a profile: only launches from so long after its first one"},
        {"to", 0, "TIME", "of a profile: only launches before so long after its first one"},
        {"top", 0, "N", "of a profile: only the N kernels of most time"},
        {"devices", 0, "N", "of a profile: N devices that each do the same, launches with `device: each`"},
        {"link", 0, "BANDWIDTH,LATENCY", "of a profile, with --devices: their link; collectives of known bytes use it"},
        {"exact", 0, "", "of a profile: a kernel for each launch, each with its own duration"},
        {"merge", 0, "", "of a profile: one kernel for all launches of equal shape, their spread a drawn variation"},
        {"block", 0, "N", "work-items per work-group, or X,Y,Z (default: 256, or the kernel's bound if that is less)"},
        {"grid", 0, "N", "work-groups of each launch, or X,Y,Z (default: as many as the device holds at once)"},
        {"shared", 0, "BYTES", "shared local memory that is given at launch, beside the static one: 4096 or 4KiB"},
        {"program", 0, "",
         "of PTX or AMDGPU assembly: the steps of one kernel, from its addresses, which are executed (experimental)"},
        {"cubin", 0, "FILE",
         "of PTX: registers are read from FILE, a cubin (its counts, too) or what `ptxas -v` prints"},
        {"arg", 0, "N=VALUE", "of --program: argument N, from 0, of the kernel; pointers need none", Times::any},
        {"trips", 0, "LOOP=N", "of --program: iterations of a loop that depend on data, by the loop's label",
         Times::any},
        {"branch", 0, "LINE=taken|skipped", "of --program: a branch that depends on data, by its line", Times::any},
        {"gather", 0, "SECTORS[:BYTES]",
         "of --program: sectors of a request whose addresses depend on data, 1 to 32; of PTX also the bytes in which "
         "they lie"},
        {"warm", 0, "", "of --program: before the launch, the last cache holds what it loads (default: nothing)"}}},
      run_import};
}

}  // namespace gdsim::cli
