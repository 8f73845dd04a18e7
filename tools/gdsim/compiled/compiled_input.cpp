#include "compiled/compiled_input.hpp"
#include <gdsim/base/text.hpp>
#include <gdsim/import/amd/amd_code_object.hpp>
#include <gdsim/import/amd/gcn/import_gcn.hpp>
#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/imported_scenario.hpp>
#include <gdsim/import/ptx/ptx_resources.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>
#include <gdsim/import/read_compiled.hpp>
#include "terminal/log.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace gdsim::cli {
namespace {

/// One call of read_compiled_input().
class CompiledInputReader {
 public:
  CompiledInputReader(const CompiledQuery& query, ModelLibrary& models, SourceFiles& sources,
                      OccupancyRequestReader& reader)
      : query_(query), models_(models), sources_(sources), reader_(reader) {}

  CompiledAnswer read() {
    std::vector<NamedKernels> files = chosen(read_files());
    answer_.device = query_.device.empty() ? family_with_model(all_of(files)) : query_.device;
    const WantedDevice device = wanted_device();
    std::vector<std::pair<std::string, CompiledKernel>> kernels;
    for (NamedKernels& file : files)
      guarded([&] {
        NamedKernels best = query_.wants_program ? std::move(file) : for_device(std::move(file), device);
        if (query_.wants_program)
          for (CompiledKernel& kernel : best.kernels) complete(kernel, best.file, device);
        for (CompiledKernel& kernel : best.kernels) kernels.emplace_back(best.file, std::move(kernel));
      });
    problems_.throw_if_any();
    assume_wave_sizes(kernels);
    plan(std::move(kernels), device);
    problems_.throw_if_any();
    return std::move(answer_);
  }

 private:
  /// Collects the InputError that `act` throws, so that the problems of all files are reported at once.
  template <class Act>
  void guarded(Act act) {
    try {
      act();
    } catch (const InputError& error) {
      for (const Diagnostic& problem : error.problems()) problems_.add(problem);
    }
  }

  /// Adds problems to those of the file; `prefix` precedes the message of each that names no file.
  void blame(const std::string& file, const std::vector<Diagnostic>& found, const std::string& prefix) {
    for (const Diagnostic& problem : found)
      problems_.add(problem.file.empty() ? Diagnostic{problem.code, prefix + problem.message, file, 0, 0, {}}
                                         : problem);
  }

  std::vector<NamedKernels> read_files() {
    std::vector<NamedKernels> files;
    for (const std::string& name : query_.files)
      guarded([&] {
        const SourceText& source = sources_.read(name, "a file of compiled kernels");
        CompiledFile file = query_.wants_program ? read_for_program(source) : read_compiled(source);
        for (const std::string& note : file.notes) answer_.notes.push_back(source.name() + ": " + note);
        files.push_back({source.name(), std::move(file.kernels)});
      });
    problems_.throw_if_any();
    return files;
  }

  [[noreturn]] static void refuse(const std::string& file, const std::string& message) {
    throw InputError({Diagnostic{"unreadable", message, file, 0, 0, {}}});
  }

  /// Reads AMDGPU assembly, or PTX with the registers of its machine code.
  CompiledFile read_for_program(const SourceText& source) {
    if (is_amd_assembly(source)) {
      if (!query_.machine_code.empty())
        refuse(source.name(), "is assembly, which says how many registers it has; leave out --cubin");
      answer_.assembly = read_gcn(source);
      return read_amd_assembly(source);
    }
    if (!is_ptx(source.text()))
      refuse(source.name(),
             "is neither PTX nor AMDGPU assembly with metadata, and --program needs one of them; nvcc makes PTX: nvcc "
             "-ptx -arch=sm_86 FILE.cu -o FILE.ptx; hipcc makes assembly: hipcc --offload-arch=gfx90a "
             "--offload-device-only -S FILE.hip -o FILE.s");
    answer_.program = read_ptx(source);
    CompiledFile file = resources_of(*answer_.program);
    if (query_.machine_code.empty()) return file;
    const SourceText& other = sources_.read(query_.machine_code, "a file of machine code");
    machine_code_ = {other.name(), read_compiled(other).kernels};
    return file;
  }

  /// Completes a kernel of a program: refuses PTX that is newer than the device and adds the facts of the machine code.
  void complete(CompiledKernel& kernel, const std::string& file, const WantedDevice& device) {
    if (answer_.assembly) {
      if (!match_of(kernel, device))
        problems_.add(Diagnostic{"unreadable",
                                 "this assembly is for " + kernel.target + ", and does not run on " + device.id + " (" +
                                     device.family + "); make it anew: hipcc --offload-arch=...",
                                 file,
                                 0,
                                 0,
                                 {}});
      return;
    }
    if (!can_become(kernel.target, device.family))
      problems_.add(Diagnostic{"unreadable",
                               "this PTX is for " + kernel.target + ", and does not become code for " + device.id +
                                   " (" + device.family + "); make it anew: nvcc -ptx -arch=...",
                               file,
                               0,
                               0,
                               {}});
    if (machine_code_.kernels.empty()) return;
    const NamedKernels best = for_device(machine_code_, device);
    for (const CompiledKernel& other : best.kernels)
      if (other.symbol == kernel.symbol) return add_machine_code(kernel, other);
    problems_.add(Diagnostic{
        "unreadable", "holds no kernel " + kernel.symbol + ", which is in the PTX", machine_code_.file, 0, 0, {}});
  }

  /// Returns the kernels that --kernel selects. Some of several files may hold none.
  std::vector<NamedKernels> chosen(std::vector<NamedKernels> files) {
    if (query_.kernel.empty()) return files;
    std::vector<NamedKernels> some;
    for (NamedKernels& file : files) guarded([&] { some.push_back(with_name(std::move(file), query_.kernel)); });
    if (some.empty()) problems_.throw_if_any();
    problems_ = {};
    return some;
  }

  static NamedKernels all_of(const std::vector<NamedKernels>& files) {
    NamedKernels all;
    for (const NamedKernels& file : files) {
      all.file += (all.file.empty() ? "" : ", ") + file.file;
      all.kernels.insert(all.kernels.end(), file.kernels.begin(), file.kernels.end());
    }
    return all;
  }

  /// Returns the family for which all kernels are compiled. Throws InputError if there is no model of it.
  std::string family_with_model(const NamedKernels& all) const {
    std::string family = only_family(all);
    const ModelMatch match = models_.match(family);
    if (match.is_certain() || match.names.empty()) return family;  // a later error says that there are no models
    throw InputError({Diagnostic{
        "no_model", without_model(family, models_.family_of(match.names.front()), all), all.file, 0, 0, {}}});
  }

  /// The message for a family without a model: which model is nearest, and what to write instead.
  std::string without_model(const std::string& family, const std::string& near, const NamedKernels& all) const {
    const CompiledKernel& first = all.kernels.front();
    const std::string what = fmt::format("it is compiled for {}, and there is no model of {}", first.target, family);
    if (match_of(first, WantedDevice{near, near, std::string(name_of(first.vendor))}))
      return fmt::format(
          "{}; such code runs on the nearest, {}: write --device {}, or name a file with your number "
          "of cores, `{{base: {}, cores: {}}}`: --device FILE.yaml",
          what, near, near, near, cores_near(near));
    const std::string registers = first.registers ? fmt::format(" --registers {}", *first.registers) : "";
    return fmt::format(
        "{}, and such code runs on no other; for the limits of the nearest, compile it for {}, or ask "
        "with its numbers: gdsim occupancy --device {} --local 256{} --slm {}B",
        what, near, near, registers, first.static_slm.value_or(0));
  }

  /// The number of cores of some product of a family.
  std::uint32_t cores_near(const std::string& family) const {
    const std::vector<std::string> products = models_.products_of(family);
    return products.empty() ? 1 : models_.cores_of(products.front());
  }

  WantedDevice wanted_device() {
    OccupancyFields fields{{"device", answer_.device}, {"local", "1"}, {"sub_group", "1"}};
    const DeviceSpec& device = *reader_.read(fields).device;
    has_wave_sizes_ = device.vendor == name_of(GpuVendor::amd) && device.sub_group_sizes.size() > 1;
    return {device.id, models_.family_of(answer_.device), device.vendor};
  }

  /// Remarks of hipcc do not say how many work-items a wave has, where devices have waves of two sizes.
  void assume_wave_sizes(std::vector<std::pair<std::string, CompiledKernel>>& kernels) {
    constexpr std::uint32_t of_hipcc = 32;  // unless it is called with -mwavefrontsize64
    std::uint64_t assumed = 0;
    for (auto& [file, kernel] : kernels) {
      if (kernel.sub_group || !has_wave_sizes_) continue;
      kernel.sub_group = of_hipcc;
      ++assumed;
    }
    if (assumed == 0) return;
    answer_.notes.push_back(counted(assumed, "kernel") +
                            ": waves of 32 work-items are assumed, hipcc's default; the text does not give their size");
    log_report("note: " + answer_.notes.back());
  }

  void plan(std::vector<std::pair<std::string, CompiledKernel>> kernels, const WantedDevice& device) {
    std::vector<CompiledKernel> all;
    for (const auto& [file, kernel] : kernels) all.push_back(kernel);
    const std::vector<std::string> keys = keys_of(all);
    const LaunchRequest request{query_.block, query_.shared, reserves_shared_memory(device.family)};
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      ImportedKernel kernel;
      kernel.file = kernels[i].first;
      kernel.compiled = std::move(kernels[i].second);
      kernel.key = keys[i];
      Diagnostics of_plan;
      kernel.plan = plan_launch(kernel.compiled, request, of_plan);
      blame(kernel.file, of_plan.problems(), "");
      if (kernel.compiled.is_wgp_mode) kernel.mode = *kernel.compiled.is_wgp_mode ? "wgp" : "cu";
      try {
        OccupancyRequest asked = reader_.read(fields_for(kernel));
        kernel.compiled.sub_group = asked.kernel.sub_group;
        answer_.entries.push_back({std::move(kernel), std::move(asked)});
      } catch (const InputError& error) {
        blame(kernels[i].first, error.problems(), keys[i] + ": ");
      }
    }
  }

  /// Returns the fields as options of `gdsim occupancy` would give them.
  OccupancyFields fields_for(const ImportedKernel& kernel) const {
    const CompiledKernel& compiled = kernel.compiled;
    OccupancyFields fields{{"device", answer_.device}, {"local", std::to_string(kernel.plan.block)}};
    const auto put = [&](const char* field, const auto& value) {
      if (value) fields.emplace(field, std::to_string(*value));
    };
    put("sub_group", compiled.sub_group);
    put("registers", compiled.registers);
    put("accumulation_registers", compiled.accumulation_registers);
    put("scalar_registers", compiled.scalar_registers);
    put("barriers", compiled.barriers);
    fields.emplace("slm_bytes", std::to_string(kernel.plan.static_slm + kernel.plan.dynamic_slm));
    fields.emplace("slm_dynamic_bytes", std::to_string(kernel.plan.dynamic_slm));
    if (kernel.plan.large_grf) fields.emplace("large_grf", "1");
    if (!kernel.mode.empty()) fields.emplace("mode", kernel.mode);
    if (compiled.cluster) {
      const auto& size = *compiled.cluster;
      fields.emplace("cluster", std::to_string(size[0] * size[1] * size[2]));
    }
    return fields;
  }

  const CompiledQuery& query_;
  ModelLibrary& models_;
  SourceFiles& sources_;
  OccupancyRequestReader& reader_;
  CompiledAnswer answer_;
  NamedKernels machine_code_;
  bool has_wave_sizes_ = false;  ///< the device is AMD's, with waves of several sizes
  Diagnostics problems_;
};

}  // namespace

CompiledAnswer read_compiled_input(const CompiledQuery& query, ModelLibrary& models, SourceFiles& sources,
                                   OccupancyRequestReader& reader) {
  return CompiledInputReader(query, models, sources, reader).read();
}

std::optional<std::uint64_t> count_option(const Options& options, std::string_view name) {
  const auto text = options.value(name);
  if (!text) return std::nullopt;
  std::uint64_t value = 0;
  const char* end = text->data() + text->size();
  const auto [rest, error] = std::from_chars(text->data(), end, value);
  constexpr std::uint64_t most = std::uint64_t{1} << 31;
  if (text->empty() || error != std::errc{} || rest != end || value == 0 || value > most)
    throw UsageError(fmt::format("--{} is {}; a whole number from 1 to {} is needed", name, in_quotes(*text), most));
  return value;
}

Bytes bytes_option(const Options& options, std::string_view name) {
  const auto text = options.value(name);
  if (!text) return {};
  const bool is_plain = !text->empty() && text->find_first_not_of("0123456789") == std::string::npos;
  const Parsed<Bytes> amount = parse_bytes(is_plain ? *text + " B" : *text);
  if (!amount.value) throw UsageError(fmt::format("--{}: {} {}", name, in_quotes(*text), amount.problem));
  return *amount.value;
}

}  // namespace gdsim::cli
