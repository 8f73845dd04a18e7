#include <gdsim/scenario/occupancy_request.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/scenario/expressions/group_values.hpp>

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace gdsim {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();

/// Reads the fields of one request; collects all problems.
class FieldReader {
 public:
  FieldReader(const OccupancyFields& fields, const Diagnostics& known) : fields_(fields), problems_(known) {}

  Diagnostics& problems() { return problems_; }
  void fail(std::string_view field, const std::string& message) {
    problems_.add({}, std::string(field) + ": " + message);
  }

  std::string text(std::string_view field) const {
    const auto found = fields_.find(field);
    return found == fields_.end() ? std::string() : std::string(trimmed(found->second));
  }

  std::optional<std::uint64_t> whole(std::string_view field, std::uint64_t max = kMax) {
    const std::string value = text(field);
    if (value.empty()) return std::nullopt;
    return number(field, value, max);
  }

  std::optional<bool> truth(std::string_view field) {
    const std::string value = text(field);
    if (value.empty()) return std::nullopt;
    if (value == "1" || value == "true") return true;
    if (value == "0" || value == "false") return false;
    fail(field, in_quotes(value) + " is neither 0 nor 1");
    return std::nullopt;
  }

  /// Reads `512` or `16,16,2`: 1 to 3 dimensions between separators.
  std::vector<std::uint64_t> sizes(std::string_view field, const char* separators) {
    std::vector<std::uint64_t> sizes;
    const std::string all = text(field);
    if (const std::size_t x = all.find_first_of("xX");
        x != std::string::npos && all.find_first_not_of("0123456789xX ") == std::string::npos && x > 0) {
      std::string written = all;
      std::replace_if(
          written.begin(), written.end(), [](char c) { return c == 'x' || c == 'X'; }, ',');
      fail(field, in_quotes(all) + " has an x between its sizes; write it as in " + written);
      return {};
    }
    for (std::size_t begin = 0; !all.empty() && begin <= all.size();) {
      const std::size_t end = std::min(all.find_first_of(separators, begin), all.size());
      const std::string part(trimmed(std::string_view(all).substr(begin, end - begin)));
      begin = end + 1;
      if (part.empty()) {
        fail(field, in_quotes(all) + " lacks a size beside a separator; write it as in 16,16");
        return {};
      }
      if (const auto size = number(field, part, std::numeric_limits<std::int64_t>::max())) sizes.push_back(*size);
    }
    if (sizes.size() > 3) fail(field, "has more than 3 dimensions");
    return sizes;
  }

 private:
  std::optional<std::uint64_t> number(std::string_view field, const std::string& text, std::uint64_t max) {
    const Parsed<Decimal> parsed = parse_decimal(text);
    const bool is_plain = text.find_first_not_of("0123456789") == std::string::npos;
    const auto value = parsed.value && is_plain ? round_product({*parsed.value}) : std::nullopt;
    if (value && static_cast<std::uint64_t>(*value) <= max) return static_cast<std::uint64_t>(*value);
    fail(field, in_quotes(text) + " " +
                    (!parsed.value ? parsed.problem
                     : is_plain    ? "is too large: at most " + std::to_string(max) + " is allowed"
                                   : std::string("is not a whole number in plain digits")));
    return std::nullopt;
  }

  const OccupancyFields& fields_;
  Diagnostics problems_;
};

std::string list(std::span<const std::uint32_t> sizes) {
  std::string text;
  for (const std::uint32_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return text;
}

std::uint32_t small(std::optional<std::uint64_t> value) { return static_cast<std::uint32_t>(value.value_or(0)); }

void read_slm(FieldReader& reader, SlmRequest& slm) {
  constexpr std::uint64_t max = std::uint64_t{1} << 40;
  const auto bytes = [&](std::string_view field) -> std::optional<Bytes> {
    const auto value = reader.whole(field, max);
    if (!value) return std::nullopt;
    return Bytes{static_cast<std::int64_t>(*value)};
  };
  slm.total = bytes("slm_bytes").value_or(Bytes{});
  slm.dynamic = bytes("slm_dynamic_bytes").value_or(Bytes{});
  slm.max_dynamic = bytes("max_dynamic_slm_bytes");
  if (reader.truth("slm_opt_in") == false) slm.opt_in = SlmOptIn::no;
  if (const auto percent = reader.whole("carveout_percent", 100))
    slm.carveout_percent = static_cast<std::uint32_t>(*percent);
  if (slm.dynamic > slm.total) reader.fail("slm_dynamic_bytes", "is more than slm_bytes, which is all of it");
}

/// Reads the sizes of work-groups and launch. A local size of 0 stays: the device rejects it.
GlobalSize read_range(FieldReader& reader, Kernel& kernel) {
  const auto local = reader.sizes("local", ",");
  const auto global = reader.sizes("global", ",*");
  if (reader.text("local").empty()) reader.fail("local", "is missing");
  if (local.size() > 3 || global.size() > 3 || local.empty()) return GlobalSize::any;
  kernel.range.local = extent_of(local);
  const auto size = volume(kernel.range.local);
  if (!size || *size > kMax) reader.fail("local", "a work-group has more than " + std::to_string(kMax) + " work-items");
  const auto global_size = volume(extent_of(global));
  if (!global_size) reader.fail("global", "has more than 2^64 work-items");
  if (!size || !global_size) return GlobalSize::any;
  const bool is_given = !global.empty() && *global_size > 0;
  kernel.range.global = is_given ? extent_of(global) : kernel.range.local;
  // If only one of the two is given by dimension, other tools take the product.
  if (is_given && global.size() != local.size()) {
    kernel.range.global = {1, 1, *global_size};
    kernel.range.local = {1, 1, *size};
  }
  return is_given ? GlobalSize::given : GlobalSize::any;
}

/// Reads the cluster. A kernel launched with any number of work-groups has one cluster.
void read_cluster(FieldReader& reader, GlobalSize global, Kernel& kernel) {
  kernel.cluster = reader.sizes("cluster", ",");
  if (std::find(kernel.cluster.begin(), kernel.cluster.end(), 0U) != kernel.cluster.end())
    reader.fail("cluster", "must be at least 1");
  const std::uint64_t size = kernel.cluster_size();
  if (size > device_limits::kCluster)
    reader.fail("cluster", "a cluster has more than " + std::to_string(device_limits::kCluster) + " work-groups");
  if (global == GlobalSize::given || kernel.cluster.empty() || size == 0 || size > device_limits::kCluster) return;
  kernel.cluster = {size};
  kernel.range.global[2] *= size;
}

}  // namespace

OccupancyRequestReader::OccupancyRequestReader(ModelLibrary& models, std::filesystem::path near)
    : models_(models), near_(std::move(near)) {}

const DeviceSpec* OccupancyRequestReader::device(const std::string& name, const std::string& mode,
                                                 Diagnostics& problems) {
  if (const auto found = devices_.find({name, mode}); found != devices_.end()) return &found->second;
  const std::size_t before = problems.size();
  YamlNode reference;
  reference.text = name;
  reference.style = YamlNode::Style::quoted;  // a name, even if it looks like a number or a path
  YamlNode mode_node;
  mode_node.text = mode;
  auto spec = read_device(reference, near_, models_, ValueReader(problems), mode.empty() ? nullptr : &mode_node);
  if (!spec || problems.size() > before) return nullptr;
  return &devices_.emplace(std::pair(name, mode), std::move(*spec)).first->second;
}

OccupancyRequest OccupancyRequestReader::read(const OccupancyFields& fields, const Diagnostics& known) {
  FieldReader reader(fields, known);
  OccupancyRequest request;
  const std::string name = reader.text("device");
  if (name.empty()) reader.fail("device", "is missing");
  const bool is_automatic = reader.text("sub_group") == "auto";
  const auto sub_group = is_automatic ? std::nullopt : reader.whole("sub_group");
  if (sub_group == 0U) reader.fail("sub_group", "must be at least 1");
  Kernel& kernel = request.kernel;
  kernel.sub_group = small(sub_group);
  kernel.needs.registers = small(reader.whole("registers"));
  kernel.needs.accumulation_registers = small(reader.whole("accumulation_registers"));
  kernel.needs.scalar_registers = small(reader.whole("scalar_registers"));
  if (const auto barriers = reader.whole("barriers")) kernel.needs.barriers = small(barriers);
  if (reader.truth("large_grf") == true) kernel.needs.grf = GrfMode::large;
  read_slm(reader, kernel.needs.slm);
  request.global = read_range(reader, kernel);
  read_cluster(reader, request.global, kernel);
  if (!name.empty()) request.device = device(name, reader.text("mode"), reader.problems());
  if (is_automatic && request.device != nullptr && kernel.range.is_countable())
    kernel.sub_group = static_cast<std::uint32_t>(
        automatic_sub_group(*request.device, kernel.range.group_size(), [](std::uint64_t) { return true; }));
  // `sub_group` may be left out only on some devices, so the device must be known.
  if (reader.text("sub_group").empty() && request.device != nullptr) {
    const auto& sizes = request.device->sub_group_sizes;
    if (sizes.size() == 1) {
      kernel.sub_group = sizes.front();
    } else {
      reader.fail("sub_group", "is missing; " + request.device->id + " has " + list(sizes));
    }
  } else if (reader.text("sub_group").empty() && name.empty()) {
    reader.fail("sub_group", "is missing");
  }
  reader.problems().throw_if_any();
  return request;
}

}  // namespace gdsim
