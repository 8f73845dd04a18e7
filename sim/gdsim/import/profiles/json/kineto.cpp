#include <gdsim/import/profiles/json/kineto.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/json/json_events.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/profiles/text/text_profiles.hpp>

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kMaxText = 64;  ///< of a value other than a name

/// The reader's position in the trace.
enum class TracePlace : std::uint8_t { outside, root, events, event, arguments, grid, block, devices, device, ignored };

class KinetoReader final : public JsonHandler {
 public:
  explicit KinetoReader(Profile& profile) : profile_(profile), lanes_(*profile.budget) {}

  void begin_object() override { enter(object_place()); }
  void begin_array() override { enter(array_place()); }
  void end_array() override { leave(); }
  void end_object() override {
    if (place() == TracePlace::event) end_event();
    if (place() == TracePlace::device) add_device(profile_, device_.finished());
    leave();
  }
  void key(std::string_view name) override { key_ = name; }
  void text(std::string_view value) override { take(value, false); }
  void number(std::string_view digits) override { take(digits, true); }
  void other() override {}

  void finish() {
    for (ProfiledLaunch& launch : profile_.launches)
      launch.grid_counts_items = launch.correlation != 0 && counts_items_.contains(launch.correlation);
    join_calls();
    settle_grids(profile_);
    if (!has_events_) fail_at(profile_, byte(), "there are no `traceEvents`; is this a trace of PyTorch's profiler?");
    incomplete_ += lanes_.open_launches();
    if (incomplete_ > 0) profile_.left_out["events of kernels without a start or a duration"] += incomplete_;
  }

 private:
  TracePlace place() const { return places_.empty() ? TracePlace::outside : places_.back(); }
  void enter(TracePlace place) {
    places_.push_back(place);
    if (place == TracePlace::event) {
      event_.clear();
      event_.byte = byte();
    }
    if (place == TracePlace::device) device_ = {};
    if (place == TracePlace::events) has_events_ = true;
  }
  void leave() { places_.pop_back(); }

  TracePlace object_place() const {
    switch (place()) {
      case TracePlace::outside: return TracePlace::root;
      case TracePlace::events: return TracePlace::event;
      case TracePlace::event: return key_ == "args" ? TracePlace::arguments : TracePlace::ignored;
      case TracePlace::devices: return TracePlace::device;
      default: return TracePlace::ignored;
    }
  }

  TracePlace array_place() const {
    if (place() == TracePlace::outside) return TracePlace::events;
    if (place() == TracePlace::root && key_ == "traceEvents") return TracePlace::events;
    if (place() == TracePlace::root && key_ == "deviceProperties") return TracePlace::devices;
    if (place() == TracePlace::arguments && key_ == "grid") return TracePlace::grid;
    if (place() == TracePlace::arguments && key_ == "block") return TracePlace::block;
    return TracePlace::ignored;
  }

  void take(std::string_view value, bool is_number) {
    switch (place()) {
      case TracePlace::event: return take_of_event(value, is_number);
      case TracePlace::arguments: return take_argument(value, is_number);
      case TracePlace::grid: return take_size(value, is_number, event_.grid, event_.grid_sizes);
      case TracePlace::block: return take_size(value, is_number, event_.block, event_.block_sizes);
      case TracePlace::device: return device_.take(key_, value);
      default: return;
    }
  }

  void take_of_event(std::string_view value, bool) {
    if (key_ == "name") event_.name = value.substr(0, kMaxName);
    if (key_ == "ph") event_.phase = value.substr(0, 8);
    if (key_ == "cat") event_.category = value.substr(0, kMaxText);
    if (key_ == "ts") event_.start = value.substr(0, kMaxText);
    if (key_ == "dur") event_.duration = value.substr(0, kMaxText);
    if (key_ == "pid") event_.process = value.substr(0, kMaxText);
    if (key_ == "tid") event_.lane = value.substr(0, kMaxText);
    if (key_ == "pid" && event_.device.empty()) event_.device = value.substr(0, kMaxText);
    if (key_ == "tid" && event_.stream.empty()) event_.stream = value.substr(0, kMaxText);
  }

  void take_argument(std::string_view value, bool) {
    const std::array<std::pair<std::string_view, std::string*>, 11> known{{{"device", &event_.device},
                                                                           {"stream", &event_.stream},
                                                                           {"correlation", &event_.correlation},
                                                                           {"registers per thread", &event_.registers},
                                                                           {"shared memory", &event_.shared_memory},
                                                                           {"bytes", &event_.bytes},
                                                                           {"Collective name", &event_.collective},
                                                                           {"In msg nelems", &event_.elements_in},
                                                                           {"Out msg nelems", &event_.elements_out},
                                                                           {"dtype", &event_.data_type},
                                                                           {"Group size", &event_.group_size}}};
    for (const auto& [name, text] : known)
      if (name == key_) *text = value.substr(0, kMaxText);
    if (key_ == "size" && event_.bytes.empty()) event_.bytes = value.substr(0, kMaxText);  // of a call of HIP
    if (key_ == "device") event_.is_on_device = true;
  }

  void take_size(std::string_view value, bool is_number, Extent& extent, std::size_t& count) {
    const auto size = is_number ? whole_number(value, kMaxProfiledSize) : std::nullopt;
    if (!size || count == extent.size())
      fail_at(profile_, byte(),
              size ? "a grid or block has more than three sizes"
                   : fmt::format("{} is no size of a grid or block; whole numbers up to 2^40 are", in_quotes(value)));
    extent[count++] = *size;
  }

  void end_event() {
    if (event_.name == "hipExtModuleLaunchKernel")
      if (const auto correlation = whole_number(event_.correlation, ~std::uint64_t{0})) keep_counting(*correlation);
    if (event_.phase == "B") begin_opened();
    if (event_.phase == "E") end_opened();
    if (event_.phase != "X") return;
    const auto work = work_of(event_.category);
    if (!work) return end_other();
    if (event_.start.empty() || event_.duration.empty()) {
      ++incomplete_;
      return;
    }
    const auto duration = scaled_number(event_.duration, kMicroseconds);
    if (!duration || *duration < 0 || *duration > kMaxProfiledSpan)
      fail_at(profile_, event_.byte, "the event's `dur` is no duration: " + in_quotes(event_.duration));
    add(*work, static_cast<std::int64_t>(*duration));
  }

  /// Keeps what a call on the host says of the launch or copy that it makes. Counts other events on a device.
  void end_other() {
    const auto correlation = whole_number(event_.correlation, ~std::uint64_t{0}).value_or(0);
    if (correlation != 0 && !event_.is_on_device && (event_.grid_sizes > 0 || !event_.bytes.empty())) {
      if (!calls_.contains(correlation)) profile_.budget->keep(sizeof(Call));
      calls_[correlation] = {sizes_of(event_.grid, event_.grid_sizes), sizes_of(event_.block, event_.block_sizes),
                             whole_number(event_.shared_memory, kMaxProfiledBytes),
                             whole_number(event_.bytes, kMaxProfiledBytes)};
    }
    const std::string& category = event_.category;
    const bool is_call = category.find("runtime") != std::string::npos || category.find("driver") != std::string::npos;
    const bool is_work = !is_call && category != "gpu_user_annotation" && category != "cuda_sync" && category != "ac2g";
    if (category == "cuda_profiler_range")
      leave_out("ranges of counters (cuda_profiler_range), which hold no launches: profile without them");
    else if (event_.is_on_device && is_work)
      leave_out("events on a device of the category " + in_quotes(category) + ", which is not known");
  }

  /// Gives launches and copies what the calls with their correlation say. A call of a graph makes several launches, and
  /// says nothing of each.
  void join_calls() {
    std::unordered_map<std::uint64_t, std::size_t> uses;
    for (const ProfiledLaunch& launch : profile_.launches) ++uses[launch.correlation];
    std::size_t joined = 0;
    for (ProfiledLaunch& launch : profile_.launches) {
      const auto call = calls_.find(launch.correlation);
      if (call == calls_.end() || uses[launch.correlation] != 1) continue;
      const bool is_kernel = launch.work == ProfiledWork::kernel;
      const bool lacks = is_kernel ? launch.grid[0] == 0 || launch.block[0] == 0 : !launch.bytes;
      if (!lacks) continue;
      if (is_kernel) {
        launch.grid = call->second.grid;
        launch.block = call->second.block;
        if (!launch.static_slm) launch.static_slm = call->second.shared_memory;
      } else {
        launch.bytes = call->second.bytes;
      }
      ++joined;
    }
    if (joined > 0)
      profile_.notes.push_back(
          fmt::format("grid, block, shared memory and bytes of {} are those of the calls with their correlation",
                      counted(joined, "event")));
  }

  static std::optional<ProfiledWork> work_of(const std::string& category) {
    if (category == "kernel" || category == "Kernel" || category == "gpu_op") return ProfiledWork::kernel;
    if (category == "gpu_memcpy" || category == "Memcpy") return ProfiledWork::other_copy;
    if (category == "gpu_memset" || category == "Memset") return ProfiledWork::fill;
    return std::nullopt;
  }

  /// An event that begins has all data except its end.
  void begin_opened() {
    if (const auto work = work_of(event_.category))
      lanes_.begin({event_.process, event_.lane}, {launch_of(*work), event_.start});
    else
      lanes_.begin_other({event_.process, event_.lane});
  }

  void end_opened() {
    auto begun = lanes_.end({event_.process, event_.lane});
    if (!begun) return;
    const auto end = scaled_number(event_.start, kMicroseconds);
    if (!end || *end < *begun->launch.start || *end - *begun->launch.start > kMaxProfiledSpan)
      fail_at(
          profile_, event_.byte,
          fmt::format("the event that began at {} us ends at {} us", in_quotes(begun->start), in_quotes(event_.start)));
    begun->launch.duration = static_cast<std::int64_t>(*end - *begun->launch.start);
    add_launch(profile_, begun->launch);
  }

  /// Keeps that the call with this correlation counts its grid in work-items.
  void keep_counting(std::uint64_t correlation) {
    if (counts_items_.insert(correlation).second) profile_.budget->keep(sizeof correlation);
  }

  void leave_out(const std::string& reason) {
    std::uint64_t& count = profile_.left_out[reason];
    if (count == 0) profile_.budget->keep(reason.size());
    ++count;
  }

  void add(ProfiledWork work, std::int64_t duration) {
    ProfiledLaunch launch = launch_of(work);
    launch.duration = duration;
    add_launch(profile_, launch);
  }

  /// The launch or copy that the event is, without its duration.
  ProfiledLaunch launch_of(ProfiledWork work) {
    ProfiledLaunch launch;
    launch.place = event_.byte;
    launch.work = work == ProfiledWork::other_copy ? work_named(event_.name) : work;
    launch.start = scaled_number(event_.start, kMicroseconds);
    if (!launch.start) fail_at(profile_, event_.byte, "the event's `ts` is no time: " + in_quotes(event_.start));
    launch.grid = sizes_of(event_.grid, event_.grid_sizes);
    launch.block = sizes_of(event_.block, event_.block_sizes);
    std::string_view name = event_.name;
    if (const auto named = unitrace_name(name); named && event_.category == "gpu_op") apply(*named, launch, name);
    launch.name = profile_.texts.number(name);
    launch.queue = profile_.texts.number(event_.stream);
    launch.device = profile_.texts.number(event_.device);
    if (const auto registers = number(event_.registers, kMaxProfiledRegisters, "registers per thread"))
      launch.registers = static_cast<std::uint32_t>(*registers);
    launch.static_slm = number(event_.shared_memory, kMaxProfiledBytes, "shared memory");
    launch.bytes = number(event_.bytes, kMaxProfiledBytes, "bytes");
    if (work == ProfiledWork::kernel) launch.bytes = collective_bytes(event_);
    if (work == ProfiledWork::kernel && !event_.collective.empty())
      launch.group = static_cast<std::uint32_t>(whole_number(event_.group_size, kMaxProfiledGroup).value_or(0));
    launch.correlation = number(event_.correlation, ~std::uint64_t{0}, "correlation").value_or(0);
    return launch;
  }

  /// Sizes that were not written are 1.
  static Extent sizes_of(Extent sizes, std::size_t written) {
    for (std::size_t d = written; written > 0 && d < sizes.size(); ++d) sizes[d] = 1;
    return sizes;
  }

  static void apply(const UnitraceName& named, ProfiledLaunch& launch, std::string_view& name) {
    launch.work = named.work;
    launch.grid = named.groups;
    launch.block = named.group_size;
    launch.sub_group = named.simd;
    launch.bytes = named.bytes;
    name = named.name;
  }

  std::optional<std::uint64_t> number(const std::string& text, std::uint64_t most, std::string_view what) {
    if (text.empty()) return std::nullopt;
    const auto value = whole_number(text, most);
    if (!value)
      fail_at(profile_, event_.byte,
              fmt::format("the event's `{}` is {}; a whole number up to {} is needed", what, in_quotes(text), most));
    return value;
  }

  static constexpr std::size_t kMaxName = 1 << 14;
  static constexpr int kMicroseconds = 6;

  /// What a call on the host says of the launch or copy that it makes.
  struct Call {
    Extent grid{};
    Extent block{};
    std::optional<std::uint64_t> shared_memory;
    std::optional<std::uint64_t> bytes;
  };

  Profile& profile_;
  std::vector<TracePlace> places_;
  std::string key_;
  KinetoEvent event_;
  TracedDevice device_;
  bool has_events_ = false;
  std::uint64_t incomplete_ = 0;
  TraceLanes lanes_;
  std::unordered_map<std::uint64_t, Call> calls_;   ///< by correlation
  std::unordered_set<std::uint64_t> counts_items_;  ///< correlations of calls that count grids in work-items
};

}  // namespace

bool is_chrome_trace(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  if (head[first] == '{') return true;
  const std::size_t second = head.find_first_not_of(" \t\r\n", first + 1);
  return head[first] == '[' && second != std::string_view::npos && head[second] == '{';
}

void read_kineto(ByteStream& stream, Profile& profile) {
  profile.format = "PyTorch profiler (Kineto), JSON";
  profile.place_word = "byte";
  KinetoReader reader(profile);
  read_json(stream, reader);
  reader.finish();
}

}  // namespace gdsim
