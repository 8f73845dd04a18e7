#include "import/binaries.hpp"
#include "support/builders.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/object_files.hpp>
#include <gdsim/import/read_compiled.hpp>

#include <stdexcept>
#include <utility>

namespace gdsim::testing {
namespace {

std::string padded_to(std::string text, std::size_t granule) {
  while (text.size() % granule != 0) text.push_back('\0');
  return text;
}

std::string field(std::string text, std::size_t size) {
  text.resize(size, ' ');
  return text;
}

}  // namespace

std::string bytes_of(std::uint64_t number, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(number >> (8 * i) & 0xff));
  return bytes;
}

std::string fixture_path(const std::string& name) { return source_path("tests/import/fixtures/" + name); }
std::string fixture(const std::string& name) { return read_file(fixture_path(name)); }

std::vector<std::string> import_of_sgemm(const std::string& kernel, std::uint64_t tile, std::uint64_t block,
                                         const std::string& cubin) {
  const std::string side = std::to_string(256 / tile);
  return {"import",
          fixture_path("sgemm.ptx"),
          "--program",
          "--cubin",
          fixture_path(cubin),
          "--kernel",
          "^" + kernel + "$",
          "--device",
          "rtx-a6000",
          "--grid",
          side + "," + side,
          "--block",
          std::to_string(block),
          "--arg",
          "0=256,1=256",
          "--arg",
          "2=256"};
}

ElfBuilder& ElfBuilder::add(std::string name, std::uint32_t type, std::string content, std::uint32_t link,
                            std::uint32_t info) {
  sections_.push_back({std::move(name), type, std::move(content), link, info});
  return *this;
}

std::string ElfBuilder::build() const {
  std::string names(1, '\0');
  std::string contents;
  std::string headers(64, '\0');
  constexpr std::uint64_t begin = 64;
  const auto add = [&](const std::string& name, std::uint32_t type, const std::string& content, std::uint32_t link,
                       std::uint32_t info) {
    headers += bytes_of(names.size(), 4) + bytes_of(type, 4) + bytes_of(0, 16) + bytes_of(begin + contents.size(), 8) +
               bytes_of(content.size(), 8) + bytes_of(link, 4) + bytes_of(info, 4) + bytes_of(0, 16);
    names += name + '\0';
    contents += padded_to(content, 8);
  };
  for (const Section& section : sections_) add(section.name, section.type, section.content, section.link, section.info);
  const std::string all_names = names + ".shstrtab" + '\0';
  add(".shstrtab", 3, all_names, 0, 0);
  std::string file =
      "\x7f"
      "ELF\x02\x01\x01" +
      std::string(9, '\0');
  file += bytes_of(1, 2) + bytes_of(machine_, 2) + bytes_of(1, 4) + bytes_of(0, 16) +
          bytes_of(begin + contents.size(), 8) + bytes_of(0, 4) + bytes_of(64, 2) + bytes_of(0, 4) + bytes_of(64, 2) +
          bytes_of(sections_.size() + 2, 2) + bytes_of(sections_.size() + 1, 2);
  return file + contents + headers;
}

std::string elf_note(const std::string& owner, std::uint32_t type, const std::string& content) {
  return bytes_of(owner.size() + 1, 4) + bytes_of(content.size(), 4) + bytes_of(type, 4) + padded_to(owner + '\0', 4) +
         padded_to(content, 4);
}

std::string archive_of(const std::vector<Member>& members) {
  std::string file = "!<arch>\n";
  for (const Member& member : members) {
    file += field(member.name + "/", 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("644", 8) +
            field(std::to_string(member.content.size()), 10) + "`\n" + padded_to(member.content, 2);
  }
  return file;
}

std::string zebin_of(const std::string& ze_info, std::uint32_t architecture, std::uint32_t release) {
  const std::uint32_t product = architecture << 22 | release << 14;
  return ElfBuilder(elf_machine::kIntelGt)
      .add(".ze_info", 0xff000011, ze_info)
      .add(".note.intelgt.compat", kElfNote, elf_note("IntelGT", 6, bytes_of(product, 4)))
      .build();
}

std::vector<CompiledKernel> kernels_of(const std::string& content) {
  return read_compiled(SourceText("hostile", content)).kernels;
}

std::string refusal_of(const std::string& content) {
  try {
    static_cast<void>(kernels_of(content));
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

const CompiledKernel& find_kernel(const std::vector<CompiledKernel>& kernels, std::string_view symbol,
                                  std::string_view target) {
  for (const CompiledKernel& kernel : kernels)
    if (kernel.symbol == symbol && (target.empty() || kernel.target == target)) return kernel;
  throw std::runtime_error("there is no kernel " + std::string(symbol));
}

}  // namespace gdsim::testing
