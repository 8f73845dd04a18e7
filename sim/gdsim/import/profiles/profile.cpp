#include <gdsim/import/profiles/profile.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/byte_stream.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

namespace gdsim {

std::uint32_t TextPool::number(std::string_view text) {
  const auto [known, is_new] = numbers_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(&known->first);
  return known->second;
}

void add_launch(Profile& profile, ProfiledLaunch launch) {
  if (profile.launches.size() == kMaxProfiledLaunches)
    fail_at(profile, launch.place,
            fmt::format("the file has more than {} launches, the most that is read; choose some "
                        "of them where the profile is exported",
                        kMaxProfiledLaunches));
  profile.budget->keep(sizeof launch);
  profile.launches.push_back(launch);
}

void sort_by_start(Profile& profile, std::size_t first) {
  std::stable_sort(profile.launches.begin() + static_cast<std::ptrdiff_t>(first), profile.launches.end(),
                   [](const ProfiledLaunch& a, const ProfiledLaunch& b) { return a.start < b.start; });
}

void add_device(Profile& profile, ProfiledDevice device) {
  profile.budget->keep(sizeof device + device.key.size() + device.name.size());
  profile.devices.push_back(std::move(device));
}

void settle_grids(Profile& profile) {
  for (ProfiledLaunch& launch : profile.launches) {
    if (!launch.grid_counts_items) continue;
    launch.grid_counts_items = false;
    for (std::size_t d = 0; d < launch.grid.size(); ++d) {
      const std::uint64_t size = launch.block[d];
      launch.grid[d] = size == 0 ? 0 : launch.grid[d] / size + (launch.grid[d] % size != 0 ? 1 : 0);
    }
  }
}

void apply_properties(Profile& profile) {
  for (ProfiledLaunch& launch : profile.launches) {
    const auto known = profile.properties.find(profile.texts[launch.name]);
    if (launch.work != ProfiledWork::kernel || known == profile.properties.end()) continue;
    if (!launch.sub_group) launch.sub_group = known->second.sub_group;
    if (!launch.static_slm) launch.static_slm = known->second.slm;
    launch.large_grf = launch.large_grf || known->second.large_grf;
  }
}

void join_profile(Profile& profile, Profile other) {
  const bool has_own = !profile.launches.empty() || !profile.left_out.empty();
  if (has_own && !other.launches.empty() && other.properties.empty())
    throw InputError(
        {Diagnostic{"profile",
                    fmt::format("has launches, and so has {}; one profile is imported at a time", profile.file),
                    other.file,
                    0,
                    0,
                    {}}});
  for (ProfiledDevice& device : other.devices) profile.devices.push_back(std::move(device));
  for (auto& [name, properties] : other.properties) profile.properties.emplace(name, properties);
  for (std::string& note : other.notes) profile.notes.push_back(other.file + ": " + note);
  profile.notes.push_back(other.file + ": what it says of devices and kernels was added");
}

const ProfiledDevice* device_of(const Profile& profile, std::string_view key) {
  for (const ProfiledDevice& device : profile.devices)
    if (device.key == key) return &device;
  return profile.devices.size() == 1 ? &profile.devices.front() : nullptr;
}

void fail_at(const Profile& profile, std::uint64_t position, const std::string& message) {
  if (profile.place_word == "line")
    throw InputError({Diagnostic{"profile", message, profile.file, static_cast<std::uint32_t>(position), 1, {}}});
  throw InputError({Diagnostic{
      "profile", fmt::format("at {} {}: {}", profile.place_word, position, message), profile.file, 0, 0, {}}});
}

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

ProfiledWork work_named(std::string_view name) {
  const std::string text = lower(name);
  if (contains(text, "memset") || contains(text, "memoryfill") || contains(text, "fillbuffer"))
    return ProfiledWork::fill;
  for (const std::string_view to_device : {"htod", "host-to-device", "m2d", "h2d", "host_to_device", "writebuffer"})
    if (contains(text, to_device)) return ProfiledWork::host_to_device;
  for (const std::string_view to_host : {"dtoh", "device-to-host", "d2m", "d2h", "device_to_host", "readbuffer"})
    if (contains(text, to_host)) return ProfiledWork::device_to_host;
  for (const std::string_view other : {"memcpy", "memorycopy", "device-to-device", "dtod", "ptop", "copybuffer"})
    if (contains(text, other)) return ProfiledWork::other_copy;
  return ProfiledWork::kernel;
}

namespace {

/// Returns 0 for what has no size, such as a pipe.
std::uint64_t size_of(const std::filesystem::path& path) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  return unknown ? 0 : size;
}

}  // namespace

ProfileInput::ProfileInput(const std::filesystem::path& path)
    : path_(path), name_(path.string()), budget_(std::make_shared<ReadBudget>(name_, size_of(path))) {
  ByteStream stream(path, *budget_);
  is_gzip_ = stream.is_gzip();
  std::string_view block = stream.next();
  for (; !block.empty() && head_.size() < kHead; block = stream.next()) head_ += block;
  head_is_all_ = block.empty();
}

ProfileInput::ProfileInput(std::string name, std::string_view text)
    : name_(std::move(name)), budget_(std::make_shared<ReadBudget>(name_, text.size())), head_is_all_(true) {
  ByteStream stream(text, name_, *budget_);
  is_gzip_ = stream.is_gzip();
  for (std::string_view block = stream.next(); !block.empty(); block = stream.next()) {
    budget_->charge(ReadCost::memory, block.size());
    head_ += block;
  }
}

const SourceText& ProfileInput::text() const {
  if (text_) return *text_;
  std::string all;
  if (head_is_all_) {
    all = head_;
  } else {
    ByteStream stream(path_, *budget_);
    for (std::string_view block = stream.next(); !block.empty(); block = stream.next()) {
      budget_->charge(ReadCost::memory, block.size());
      all += block;
    }
  }
  text_ = std::make_unique<SourceText>(name_, std::move(all));
  return *text_;
}

void ProfileInput::fail(const std::string& message) const {
  throw InputError({Diagnostic{"profile", message, name_, 0, 0, {}}});
}

namespace {

constexpr int kMaxExponent = 40;
constexpr Int128 kMost = Int128{1} << 96;

/// The value is digits x 10^exponent, without a sign.
struct Parts {
  Int128 digits = 0;
  int exponent = 0;
  bool has_digits = false;
  bool is_read = true;
};

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

/// Returns true if the comma separates thousands: exactly three digits follow.
bool parts_thousands(std::string_view text, std::size_t at) {
  if (at == 0 || !is_decimal(text[at - 1]) || at + 3 >= text.size()) return false;
  for (std::size_t i = 1; i <= 3; ++i)
    if (!is_decimal(text[at + i])) return false;
  return at + 4 == text.size() || !is_decimal(text[at + 4]);
}

int exponent_of(std::string_view text, bool& is_read) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  int value = 0;
  is_read = !text.empty() && text.size() <= 3;
  if (!is_read) return 0;
  for (const char c : text) {
    is_read = is_read && is_decimal(c);
    value = value * 10 + (c - '0');
  }
  return is_negative ? -value : value;
}

Parts parts_of(std::string_view text) {
  Parts parts;
  bool is_behind_point = false;
  for (std::size_t i = 0; i < text.size() && parts.is_read; ++i) {
    const char c = text[i];
    if (is_decimal(c)) {
      parts.has_digits = true;
      if (parts.digits < kMost) {
        parts.digits = parts.digits * 10 + (c - '0');
        if (is_behind_point) --parts.exponent;
      } else if (!is_behind_point) {
        parts.is_read = false;
      }
    } else if (c == '.' && !is_behind_point) {
      is_behind_point = true;
    } else if (c == ',' && !is_behind_point && parts_thousands(text, i)) {
      continue;
    } else if ((c == 'e' || c == 'E') && parts.has_digits) {
      parts.exponent += exponent_of(text.substr(i + 1), parts.is_read);
      return parts;
    } else {
      parts.is_read = false;
    }
  }
  return parts;
}

}  // namespace

std::optional<Int128> scaled_number(std::string_view text, int exponent) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  Parts parts = parts_of(text);
  if (!parts.is_read || !parts.has_digits) return std::nullopt;
  parts.exponent += exponent;
  if (parts.digits == 0) return 0;
  if (parts.exponent > kMaxExponent) return std::nullopt;
  for (; parts.exponent > 0; --parts.exponent) {
    if (parts.digits > kMost / 10) return std::nullopt;
    parts.digits *= 10;
  }
  if (parts.exponent < -kMaxExponent) return 0;
  for (; parts.exponent < -1; ++parts.exponent) parts.digits /= 10;
  if (parts.exponent == -1) parts.digits = (parts.digits + 5) / 10;
  if (parts.digits > kMost) return std::nullopt;
  return is_negative ? -parts.digits : parts.digits;
}

std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t most) {
  const Parts parts = parts_of(text);
  if (!parts.is_read || !parts.has_digits || parts.exponent > kMaxExponent) return std::nullopt;
  Int128 digits = parts.digits;
  int exponent = digits == 0 ? 0 : parts.exponent;
  for (; exponent < 0 && digits % 10 == 0; ++exponent) digits /= 10;
  if (exponent < 0) return std::nullopt;
  for (; exponent > 0 && digits <= Int128{most}; --exponent) digits *= 10;
  if (digits > Int128{most}) return std::nullopt;
  return static_cast<std::uint64_t>(digits);
}

std::optional<std::uint64_t> bytes_of_unit(std::string_view unit) {
  unit = unit.substr(0, unit.find('/'));
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 18> units{{{"B", 1},
                                                                              {"byte", 1},
                                                                              {"bytes", 1},
                                                                              {"b", 1},
                                                                              {"KB", 1'000},
                                                                              {"kB", 1'000},
                                                                              {"Kbyte", 1'000},
                                                                              {"kbyte", 1'000},
                                                                              {"MB", 1'000'000},
                                                                              {"Mbyte", 1'000'000},
                                                                              {"mbyte", 1'000'000},
                                                                              {"GB", 1'000'000'000},
                                                                              {"Gbyte", 1'000'000'000},
                                                                              {"gbyte", 1'000'000'000},
                                                                              {"KiB", 1 << 10},
                                                                              {"MiB", 1 << 20},
                                                                              {"GiB", 1 << 30},
                                                                              {"kib", 1 << 10}}};
  for (const auto& [name, bytes] : units)
    if (name == unit) return bytes;
  return std::nullopt;
}

std::optional<std::uint64_t> snapped_bytes(std::string_view text, std::uint64_t unit) {
  constexpr int kPlaces = 6;
  const auto millionths = scaled_number(text, kPlaces);
  if (!millionths || *millionths < 0 || *millionths > (Int128{1} << 60)) return std::nullopt;
  const std::size_t point = text.find('.');
  const std::size_t decimals = point == std::string_view::npos ? 0 : text.size() - point - 1;
  Int128 half = Int128{unit} * 500'000;  // half of the last decimal, in millionths of a byte
  for (std::size_t i = 0; i < decimals && half > 0; ++i) half /= 10;
  const Int128 middle = *millionths * Int128{unit};
  const Int128 million = 1'000'000;
  const Int128 first = (std::max<Int128>(middle - half, 0) + million - 1) / million;
  const Int128 last = (middle + half) / million;
  if (unit > 1 && middle > 0)
    for (const int step : {1024, 128, 16, 4}) {
      const Int128 candidate = (first + step - 1) / step * step;
      if (candidate <= last && candidate > 0 && candidate + step > last) return static_cast<std::uint64_t>(candidate);
    }
  return static_cast<std::uint64_t>((middle + million / 2) / million);
}

}  // namespace gdsim
