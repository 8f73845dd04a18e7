#include "output/named_outputs.hpp"

#include "options/options.hpp"

#include <gdsim/base/diagnostic.hpp>

#include <algorithm>

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

}  // namespace gdsim::cli
