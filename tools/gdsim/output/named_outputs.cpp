#include "output/named_outputs.hpp"

#include "options/options.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStandardOutput = "/dev/stdout";

/// Returns true for a descriptor of this process by its name, such as /dev/stdout: outputs may share it.
bool is_descriptor(const fs::path& file) {
  const std::string name = file.lexically_normal().string();
  return name == "-" || name == kStandardOutput || name == "/dev/stderr" || name.starts_with("/dev/fd/") ||
         name.starts_with("/proc/");
}

/// The subject of a message. `-o DIR` writes several files, so that it names `file`.
std::string subject(const NamedOutput& output) {
  const std::string file = output.file.string();
  const bool says_all = output.file == "-" || output.option.ends_with(" " + file);
  return says_all ? output.option : output.option + " (" + file + ")";
}

std::string would_replace(const NamedOutput& output, const FileRegister::File& read) {
  return subject(output) + " would take the place of " + read.name + ", which was read as " + read.role +
         "; write to another place";
}

}  // namespace

NamedOutput standard_output() { return {"standard output", "-"}; }

void require_free(std::span<const NamedOutput> outputs, const FileRegister& inputs) {
  Diagnostics problems;
  FileRegister written;
  for (const NamedOutput& output : outputs) {
    const fs::path file = output.file == "-" ? fs::path(kStandardOutput) : output.file;
    const bool is_text_for_people = output.option == standard_output().option;
    const auto read = is_text_for_people ? std::nullopt : inputs.find(file);
    if (read) {
      problems.add({}, would_replace(output, *read));
    } else if (is_descriptor(output.file) && !is_text_for_people) {
      continue;
    } else if (const auto other = written.find(file)) {
      problems.add({}, other->role + " and " + subject(output) + " are one file, " + other->name +
                           "; each output needs a file of its own");
    } else {
      written.add(file, subject(output));
    }
  }
  problems.throw_if_any();
}

void require_free_in(const fs::path& folder, const std::set<std::string>& files, const FileRegister& inputs) {
  Diagnostics problems;
  const std::string option = "-o " + folder.string();
  for (const std::string& file : files)
    if (const auto read = inputs.find(folder / file)) problems.add({}, would_replace({option, folder / file}, *read));
  problems.throw_if_any();
}

void require_outside(const NamedOutput& output, const fs::path& folder) {
  const fs::path file = fs::weakly_canonical(fs::absolute(output.file));
  const fs::path whole = fs::weakly_canonical(fs::absolute(folder / ".")).lexically_normal();
  const std::string inside = (whole / "").string();
  if (!is_descriptor(output.file) && file.string().starts_with(inside))
    throw UsageError(output.option + " lies in the folder of -o " + folder.string() +
                     ", which is replaced as a whole; write it beside: " +
                     (folder / ".." / output.file.filename()).lexically_normal().string());
}

namespace {

bool is_special(const fs::path& file) {
  // Names of descriptors, such as /dev/stdout, whatever file they refer to.
  const std::string name = file.lexically_normal().string();
  if (name.starts_with("/dev/") || name.starts_with("/proc/")) return true;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  return file == "-" || (fs::exists(status) && !fs::is_regular_file(status));
}

}  // namespace

void require_suffix(const fs::path& file, std::initializer_list<std::string_view> known) {
  const std::string suffix = file.extension().string();
  if (is_special(file) || std::find(known.begin(), known.end(), suffix) != known.end()) return;
  fs::path example = file;
  example.replace_extension(std::string(*known.begin()));
  throw UsageError("-o " + printable(file.string()) + ": " +
                   (suffix.empty() ? "the name has no suffix" : in_quotes(suffix) + " is not written here") +
                   "; known: " + join(std::span(known.begin(), known.size())) + ", as in -o " +
                   printable(example.string()));
}

void require_folder_name(const fs::path& folder) {
  constexpr std::array<std::string_view, 8> files{".html", ".svg", ".png", ".txt", ".csv", ".json", ".yaml", ".pdf"};
  const std::string suffix = folder.extension().string();
  if (std::filesystem::exists(folder) || std::find(files.begin(), files.end(), suffix) == files.end()) return;
  throw UsageError("-o " + printable(folder.string()) + " names a file; a folder is needed, as in -o out" +
                   (suffix == ".html" || suffix == ".svg"
                        ? ". `gdsim report SCENARIO.yaml -o " + printable(folder.filename().string()) +
                              "` writes a page or a picture"
                        : std::string()));
}

}  // namespace gdsim::cli
