#include <gdsim/device/device_rules.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/device/models.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>

namespace gdsim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".yaml";

/// Returns the entries of a folder that satisfy `is_wanted`, in a fixed order.
template <class IsWanted>
std::vector<fs::path> listed(const fs::path& folder, IsWanted is_wanted) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (is_wanted(*entry)) found.push_back(entry->path());
  std::sort(found.begin(), found.end());
  return found;
}

/// Returns true if the text is a file name. A text with a `/` is none, though it could lead to a file.
bool is_file_name(const std::string& name) {
  return !name.empty() && name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

}  // namespace

bool is_there(const fs::path& file) {
  std::error_code none;
  return fs::exists(file, none);
}

std::vector<fs::path> yaml_files(const fs::path& folder) {
  return listed(folder, [](const fs::directory_entry& entry) { return entry.path().extension() == kSuffix; });
}

ModelIndex::ModelIndex(std::vector<fs::path> folders) : folders_(std::move(folders)), inner_(folders_.size()) {}

const std::vector<fs::path>& ModelIndex::inner_folders(std::size_t number) const {
  auto& inner = inner_[number];
  if (!inner)
    inner = listed(folders_[number], [](const fs::directory_entry& entry) {
      std::error_code error;
      return entry.is_directory(error) && entry.path().filename() != kTermsFolder &&
             entry.path().filename() != kRootsFolder;
    });
  return *inner;
}

std::optional<fs::path> ModelIndex::find(const std::string& name) const {
  if (all_) {
    const auto found = all_->find(name);
    return found != all_->end() ? std::optional(found->second) : std::nullopt;
  }
  if (!is_file_name(name)) return std::nullopt;
  const std::string file_name = name + kSuffix;
  for (std::size_t i = 0; i < folders_.size(); ++i) {
    if (fs::path file = folders_[i] / file_name; is_there(file)) return file;
    for (const fs::path& inner : inner_folders(i))
      if (fs::path file = inner / file_name; is_there(file)) return file;
  }
  return std::nullopt;
}

std::optional<fs::path> ModelIndex::find_root(const std::string& name) const {
  if (!is_file_name(name)) return std::nullopt;
  for (const fs::path& folder : folders_)
    if (fs::path file = folder / kRootsFolder / (name + kSuffix); is_there(file)) return file;
  return std::nullopt;
}

const std::map<std::string, fs::path>& ModelIndex::all() const {
  if (all_) return *all_;
  all_.emplace();
  for (std::size_t i = 0; i < folders_.size(); ++i) {
    for (const fs::path& file : yaml_files(folders_[i])) all_->emplace(file.stem().string(), file);
    for (const fs::path& inner : inner_folders(i))
      for (const fs::path& file : yaml_files(inner)) all_->emplace(file.stem().string(), file);
  }
  return *all_;
}

namespace {

namespace fs = std::filesystem;

/// `did you mean 'a', 'b' or 'c'?`
std::string candidates_text(const std::vector<std::string>& names) {
  constexpr std::size_t max = 12;
  std::string text = "did you mean ";
  const std::size_t count = std::min(names.size(), max);
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "'" : i + 1 == count ? " or '" : ", '") + names[i] + "'";
  return text + (names.size() > max ? ", ...?" : "?");
}

/// Returns a replacement to write: a line of a file, or an option if there is no file.
std::string replacement(const YamlNode& reference, std::string_view key, const std::string& name) {
  const std::string word(key);
  if (reference.mark.source == nullptr) return "`--" + word + " " + name + "`";
  return reference.mark.source->name().starts_with("--") ? "`" + word + "=" + name + "`"
                                                         : "`" + word + ": " + name + "`";
}

/// The line of a scenario for a product of a family with its own number of cores.
std::string line_of_family(const std::string& family, std::uint32_t cores) {
  return fmt::format("`device: {{base: {}, cores: {}}}`", family, cores);
}

/// `rtx-4090 (128 cores), l40 (142 cores)`: the family's products with the nearest numbers of cores.
std::string nearest_products(const ModelLibrary& models, const std::string& family, std::uint32_t cores) {
  constexpr std::size_t max = 3;
  std::string text;
  std::size_t count = 0;
  for (const std::string& name : models.products_of(family, cores)) {
    if (++count > max) break;
    text += fmt::format("{}{} ({} cores)", text.empty() ? "" : ", ", name, models.cores_of(name));
  }
  return text;
}

std::string no_model_text(const YamlNode& reference, const ModelMatch& found, const ModelLibrary& models) {
  const std::string& family = found.names.front();
  const std::string nearest = nearest_products(models, family, *found.cores);
  return fmt::format("there is no model of {}, which has {} cores of the family {}: write {}{}", describe(reference),
                     *found.cores, family, line_of_family(family, *found.cores),
                     nearest.empty() ? "" : "; its nearest products are " + nearest);
}

/// The first names that are near, and for another number of cores than the first one's the line of its family.
std::string near_text(const ModelMatch& found, const ModelLibrary& models) {
  constexpr std::size_t max = 4;
  std::vector<std::string> names = found.names;
  names.resize(std::min(names.size(), max));
  const std::string family = models.family_of(names.front());
  std::string text = " " + candidates_text(names);
  std::string product = names.front();
  if (product == family)
    if (const auto products = models.products_of(family); !products.empty()) product = products.front();
  if (product != family)
    text += " Another product of its family is written with its own number of cores, as in " +
            line_of_family(family, models.cores_of(product)) + ";";
  return text;
}

}  // namespace

std::vector<std::string> partition_lines(std::string_view name, const ModelLibrary& models) {
  std::vector<std::string> lines;
  for (const std::string& model : models.names()) {
    const std::vector<std::string> partitions = models.partitions_of(model);
    for (const std::string& partition : partitions)
      if (names_partition(name, model, partition))
        lines.push_back(fmt::format("`device: {{base: {}, partition: {}}}`", model, partition));
    if (!partitions.empty() && partitions.front().starts_with("cpx") && names_partition(name, model, "spx"))
      lines.push_back(fmt::format("`device: {}`", model));
  }
  return lines;
}

std::string unknown_model_text(const YamlNode& reference, std::string_view key, const ModelMatch& found,
                               const ModelLibrary& models) {
  const std::string lists = "`gdsim devices` lists all, `--models DIR` adds a folder";
  if (const auto lines = partition_lines(reference.text, models); !lines.empty())
    return fmt::format("{} is no model, but a mode or a part of one; a scenario says {}; {}", describe(reference),
                       fmt::join(lines, " or "), lists);
  switch (found.fit) {
    case NameFit::no_model: return no_model_text(reference, found, models) + "; " + lists;
    case NameFit::part:
      if (found.names.size() == 1) break;
      return describe(reference) + " is ambiguous, " + std::to_string(found.names.size()) + " models fit; " +
             candidates_text(found.names) + " Write " + replacement(reference, key, found.names.front()) + "; " + lists;
    default: break;
  }
  return "unknown model " + describe(reference) + ";" + (found.names.empty() ? "" : near_text(found, models)) + " " +
         lists;
}

std::string model_and_file_text(const YamlNode& reference, std::string_view key, const std::string& model,
                                const fs::path& beside) {
  const std::string for_model =
      model == reference.text ? "move or rename the file" : "write " + replacement(reference, key, model);
  return describe(reference) + " is the model " + model +
         ", and a file of this name lies beside: for the file, write " +
         replacement(reference, key, "./" + beside.filename().string()) + "; for the model, " + for_model;
}

std::string no_models_text(const std::vector<fs::path>& folders) {
  std::string text = "no folder with models was found; looked in ";
  for (const fs::path& folder : folders) {
    std::error_code none;
    text += (&folder == &folders.front() ? "" : ", ") + folder.lexically_normal().string() +
            (fs::is_directory(folder, none) ? " (no model in it)" : " (no such folder)");
  }
  if (folders.empty()) text += "none";
  return text + ". Name the folder of the models, as in `--models DIR` or `GDSIM_MODELS=DIR`";
}

namespace {

using Gaps = std::vector<ModelGap>;

bool has_not_verified(const YamlEntry& source) { return !figure_source(source.value).is_verified; }

/// Returns true if the number of cores is the placeholder that a family must have.
bool has_placeholder_cores(const YamlNode& tree) {
  for (const ModelLeaf& leaf : model_leaves(tree)) {
    if (leaf.path != "cores") continue;
    const YamlEntry* source = source_of(tree, leaf);
    return source != nullptr && source->value.text.find("placeholder") != std::string::npos;
  }
  return false;
}

void add_identity(const DeviceSpec& device, const YamlNode& tree, Gaps& gaps) {
  if (device.vendor.empty()) gaps.push_back({"vendor", "`gdsim devices VENDOR` does not list it", "vendor: nvidia"});
  if (tree.find("name") == nullptr) gaps.push_back({"name", "reports call it " + device.id, "name: NVIDIA My Card"});
  if (tree.find("terms") == nullptr)
    gaps.push_back({"terms", "reports use neutral words: core, thread, work-group", "terms: nvidia"});
}

void add_time_and_size(const DeviceSpec& device, const YamlNode& tree, Gaps& gaps) {
  if (!device.clock)
    gaps.push_back(
        {"clock",
         "programs that count cycles are refused, and so are `issue` steps by kind, `slm` and `atomic` steps" +
             std::string(device.ignored_keys.empty() ? ""
                                                     : "; launch cost, recovery and interval in cycles "
                                                       "are not in force"),
         "clock: 1.7 GHz"});
  if (has_placeholder_cores(tree))
    gaps.push_back({"cores",
                    "it has the number of cores that its family has as a placeholder: " + std::to_string(device.cores),
                    "cores: 30"});
}

void add_limits(const DeviceSpec& device, const YamlNode& tree, Gaps& gaps) {
  if (!device.registers && !device.grf_per_context)
    gaps.push_back({"registers", "registers limit nothing: kernels with many of them fill the device",
                    "registers: {per_engine: 16384, granule: 256, per_work_item: 256}"});
  if (device.slm.per_core.count > 0 && device.slm.sizes.empty() && device.slm.granule.count <= 1)
    gaps.push_back({"slm.granule", "SLM is handed out byte by byte: slightly more work-groups fit than on the device",
                    "granule: 128 B"});
  if (tree.find("release") == nullptr)
    gaps.push_back({"release", "a context comes back as its thread ends", "release: work_group"});
  if (device.dispatch.placement.empty())
    gaps.push_back({"dispatch", "the scenario must say how work-groups are placed",
                    "dispatch: {placement: most_room, admission: whole}"});
  if (tree.find("launch_cost") == nullptr && device.launch_latency.count == 0)
    gaps.push_back(
        {"launch_cost", "a launch costs no time: chains of short kernels come out too fast", "launch_cost: 1 us"});
}

void add_level(const MemoryLevel& level, bool is_last, Gaps& gaps) {
  const std::string path = "memory.levels." + level.name + ".";
  if (!level.latency)
    gaps.push_back(
        {path + "latency", "loads that it serves take the time of their bandwidth alone", "latency: 400 ns"});
  if (!level.bandwidth)
    gaps.push_back({path + "bandwidth",
                    is_last ? "nothing limits how much the device reads at once" : "nothing limits what it serves",
                    "bandwidth: 336 GB/s"});
}

void add_memory(const DeviceSpec& device, Gaps& gaps) {
  if (!device.memory) {
    gaps.push_back({"memory", "`memory` steps are refused",
                    "memory: {levels: [{name: GDDR6, bandwidth: 336 GB/s, latency: 400 ns}]}"});
    return;
  }
  const MemoryRule& memory = *device.memory;
  if (!memory.core_bandwidth)
    gaps.push_back(
        {"memory.core_bandwidth", "one core can read as fast as the whole device", "core_bandwidth: 178 GB/s"});
  if (memory.levels.size() < 2)
    gaps.push_back({"memory.levels", "there is no cache: working sets make no difference",
                    "- {name: L2, capacity: 4 MiB, bandwidth: 2 TB/s, latency: 250 cycles}"});
  for (const MemoryLevel& level : memory.levels) add_level(level, &level == &memory.levels.back(), gaps);
}

void add_slm_access(const DeviceSpec& device, bool is_family, Gaps& gaps) {
  if (device.slm.per_core.count == 0) return;
  if (!device.slm_access)
    gaps.push_back(
        {"slm_access", "`slm` steps are refused", "slm_access: {banks: 32, bank_width: 4 B, latency: 23 cycles}"});
  else if (device.slm_access->latency.amount.is_zero() && !is_family)
    gaps.push_back({"slm_access.latency", "`slm` steps take the cycles of the banks alone", "latency: 23 cycles"});
  if (!device.atomics.slm) gaps.push_back({"atomics.slm", "`atomic` steps in SLM are refused", "slm: 1"});
}

/// Adds the values that programs of imported PTX need.
void add_accesses_of_ptx(const DeviceSpec& device, Gaps& gaps) {
  if (device.vendor != "nvidia") return;
  if (!device.l1)
    gaps.push_back({"l1", "`issue` steps with `l1` are refused; lines of L1 are imported as load_store instructions",
                    "l1: {lines_per_cycle: 1, latency: 33 cycles}"});
  if (!device.written_sector)
    gaps.push_back({"written_sector", "stores that write parts of sectors cost no more than whole ones",
                    "written_sector: {whole: 32 B, partial: 64 B}"});
}

void add_arithmetic(const DeviceSpec& device, Gaps& gaps) {
  constexpr std::array<std::string_view, 5> kinds{"fp32", "fp64", "int32", "sfu", "load_store"};
  for (const std::string_view kind : kinds)
    if (rate_of(device.arithmetic, kind) == nullptr)
      gaps.push_back(
          {"arithmetic." + std::string(kind), "`issue` steps of this kind are refused", std::string(kind) + ": 16"});
}

void add_copies_and_atomics(const DeviceSpec& device, bool is_family, Gaps& gaps) {
  if (!device.atomics.global)
    gaps.push_back({"atomics.global", "`atomic` steps in global memory are refused", "global: 1"});
  else if (!device.atomics.global_total)
    gaps.push_back(
        {"atomics.global_total", "atomic accesses to many addresses may come out too fast", "global_total: 27"});
  if (!device.copy && !is_family)
    gaps.push_back({"copy", "copies between host and device are refused", "copy: {engines: 2, bandwidth: 25 GB/s}"});
}

void add_sources(const YamlNode& tree, Gaps& gaps) {
  for (const ModelLeaf& leaf : model_leaves(tree))
    if (source_of(tree, leaf) == nullptr)
      gaps.push_back({"sources." + leaf.path, "the values cannot be checked", leaf.path + ": \"not verified: ...\""});
}

}  // namespace

std::vector<ModelGap> model_gaps(const DeviceSpec& device, const YamlNode& tree) {
  const bool is_family = device.kind == DeviceKind::family;
  Gaps gaps;
  add_identity(device, tree, gaps);
  if (!is_family) add_time_and_size(device, tree, gaps);
  add_limits(device, tree, gaps);
  if (!is_family) add_memory(device, gaps);
  add_slm_access(device, is_family, gaps);
  add_accesses_of_ptx(device, gaps);
  add_arithmetic(device, gaps);
  add_copies_and_atomics(device, is_family, gaps);
  add_sources(tree, gaps);
  std::erase_if(gaps, [&](const ModelGap& gap) { return lacks(device, gap.key); });
  return gaps;
}

SourceCount count_sources(const YamlNode& tree) {
  SourceCount count;
  for (const ModelLeaf& leaf : model_leaves(tree)) {
    ++count.values;
    const YamlEntry* source = source_of(tree, leaf);
    if (source != nullptr && has_not_verified(*source)) ++count.not_verified;
  }
  return count;
}

}  // namespace gdsim
