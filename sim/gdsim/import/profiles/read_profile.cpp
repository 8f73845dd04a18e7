#include <gdsim/import/profiles/profile.hpp>

#include <gdsim/import/profiles/csv/launch_table.hpp>
#include <gdsim/import/profiles/json/kineto.hpp>
#include <gdsim/import/profiles/ncu/ncu_launch.hpp>
#include <gdsim/import/profiles/sqlite/sqlite_profile.hpp>
#include <gdsim/import/profiles/text/text_profiles.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

/// A format: how to recognise it by its content, and how to read it.
struct ProfileFormat {
  std::string_view name;
  bool (*is_it)(const ProfileInput& input);
  void (*read)(const ProfileInput& input, Profile& profile);
};

/// Reads a trace as a stream of the whole input.
void read_trace(const ProfileInput& input, Profile& profile) {
  if (input.head_is_all()) {
    ByteStream stream(input.head(), input.name(), *input.budget());
    return read_kineto(stream, profile);
  }
  ByteStream stream(input.path(), *input.budget());
  read_kineto(stream, profile);
}

/// A text format that is recognised by its head.
template <bool (*IsIt)(std::string_view), void (*Read)(const SourceText&, Profile&)>
constexpr ProfileFormat text_format(std::string_view name) {
  return {name, [](const ProfileInput& input) { return IsIt(input.head()); },
          [](const ProfileInput& input, Profile& profile) { Read(input.text(), profile); }};
}

/// An output of a tool that holds no launches with their sizes: two words of its head, and what to export instead.
struct OtherExport {
  std::string_view first;
  std::string_view second;
  std::string_view advice;
};

constexpr OtherExport kOtherExports[] = {
    {"Total Time (ns)", "Instances",
     "is a summary of Nsight Systems, which has no sizes of kernels; export each launch: nsys stats --report "
     "cuda_gpu_trace --format csv REPORT"},
    {"TotalDurationNs", "AverageNs",
     "is a summary of rocprof, which has no sizes of kernels; take *_kernel_trace.csv of: rocprofv3 --kernel-trace "
     "--output-format csv"},
    {"CorrId  ", "GrdX  ",
     "is a table in columns; export it as CSV: nsys stats --report cuda_gpu_trace --format csv REPORT"},
    {"\"rocprofiler-sdk-tool\"", "",
     "is JSON of rocprofv3, which is not read; export CSV or its database: rocprofv3 --kernel-trace --output-format "
     "csv "
     "rocpd"},
    {"teamsXthrds:", "lds_usage:",
     "is a trace of OpenMP's runtime, which has no times; record with: rocprofv3 --kernel-trace --output-format csv"},
    {"allocated ", " regs and spilled around ",
     "is a log of Intel's compiler, which does not say what kernels need; name the executable, or a .ze_info that "
     "ocloc "
     "disasm writes"},
};

const OtherExport* other_export_of(const ProfileInput& input) {
  constexpr std::size_t longest = 4'096;
  const std::string_view head = input.head().substr(0, longest);
  for (const OtherExport& other_export : kOtherExports)
    if (head.find(other_export.first) != std::string_view::npos &&
        head.find(other_export.second) != std::string_view::npos)
      return &other_export;
  return nullptr;
}

bool is_other_export(const ProfileInput& input) { return other_export_of(input) != nullptr; }

void refuse_other_export(const ProfileInput& input, Profile&) {
  input.fail(std::string(other_export_of(input)->advice));
}

/// The first format that matches is used.
constexpr std::array kProfileFormats{
    ProfileFormat{"", is_other_export, refuse_other_export},
    ProfileFormat{"SQLite of Nsight Systems or rocprofv3", is_sqlite, read_sqlite_profile},
    ProfileFormat{"Nsight Compute's .ncu-rep, CSV or text",
                  [](const ProfileInput& input) { return is_ncu_report(input.head()); },
                  [](const ProfileInput& input, Profile& profile) { read_ncu_report(input.text().text(), profile); }},
    ProfileFormat{"PyTorch profiler (Kineto) JSON",
                  [](const ProfileInput& input) { return is_chrome_trace(input.head()); }, read_trace},
    ProfileFormat{"Accel-Sim's kernelslist.g or .traceg",
                  [](const ProfileInput& input) { return is_kernels_list(input.head()); },
                  [](const ProfileInput& input, Profile& profile) {
                    read_kernels_list(input.text(), input.path().parent_path(), profile);
                  }},
    text_format<is_kernel_trace, read_kernel_trace>(""),
    text_format<is_balar_trace, read_balar_trace>("Balar's CUDA calls"),
    text_format<has_ncu_table, read_ncu_csv>(""),
    text_format<is_ncu_text, read_ncu_text>(""),
    text_format<is_unitrace_text, read_unitrace_text>("unitrace text"),
    text_format<is_sysinfo, read_sysinfo>("rocprof-compute's sysinfo.csv, beside a profile"),
    text_format<has_launch_table, read_launch_table>(
        "CSV of Nsight Systems, nvprof, rocprofv3, rocprof, rocprof-compute, VTune, or with columns of one's own"),
};

const ProfileFormat* format_of(const ProfileInput& input) {
  const auto found = std::find_if(kProfileFormats.begin(), kProfileFormats.end(),
                                  [&](const ProfileFormat& format) { return format.is_it(input); });
  return found != kProfileFormats.end() ? &*found : nullptr;
}

}  // namespace

bool is_profile(const ProfileInput& input) { return format_of(input) != nullptr; }

Profile read_profile(const ProfileInput& input) {
  const ProfileFormat* format = format_of(input);
  if (format == nullptr) input.fail("is no profile that gdsim reads, which are: " + profile_formats_text());
  Profile profile;
  profile.file = input.name();
  profile.budget = input.budget();
  format->read(input, profile);
  settle_grids(profile);
  return profile;
}

std::string profile_formats_text() {
  std::string text;
  for (const ProfileFormat& format : kProfileFormats)
    if (!format.name.empty()) text += (text.empty() ? "" : "; ") + std::string(format.name);
  return text;
}

}  // namespace gdsim
