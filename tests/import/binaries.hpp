#pragma once

#include <gdsim/import/compiled_kernel.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Small binary files for tests of the readers, made byte by byte.
namespace gdsim::testing {

/// The number in so many bytes, the least first.
std::string bytes_of(std::uint64_t number, std::size_t size);

/// A file kept in tests/import/fixtures.
std::string fixture(const std::string& name);
std::string fixture_path(const std::string& name);

/// The words of `gdsim` that import a kernel of sgemm.ptx for matrices of 256 x 256, with work-groups for tiles of so
/// many rows and columns, and what ptxas made of it: a fixture.
std::vector<std::string> import_of_sgemm(const std::string& kernel, std::uint64_t tile, std::uint64_t block,
                                         const std::string& cubin = "sgemm.ptxas.txt");

/// An ELF file of 64 bits.
class ElfBuilder {
 public:
  explicit ElfBuilder(std::uint16_t machine) : machine_(machine) {}

  ElfBuilder& add(std::string name, std::uint32_t type, std::string content, std::uint32_t link = 0,
                  std::uint32_t info = 0);
  std::string build() const;

 private:
  struct Section {
    std::string name;
    std::uint32_t type;
    std::string content;
    std::uint32_t link;
    std::uint32_t info;
  };
  std::uint16_t machine_;
  std::vector<Section> sections_;
};

/// A note as it stands in a section of notes.
std::string elf_note(const std::string& owner, std::uint32_t type, const std::string& content);

/// A member of an archive.
struct Member {
  std::string name;
  std::string content;
};
std::string archive_of(const std::vector<Member>& members);

/// A zebin with one kernel for a product of this architecture and release.
std::string zebin_of(const std::string& ze_info, std::uint32_t architecture, std::uint32_t release);

/// The kernels of a file with this content.
std::vector<CompiledKernel> kernels_of(const std::string& content);
/// What the reader says of a file `hostile` with this content; empty if it is taken.
std::string refusal_of(const std::string& content);
/// The kernel of this symbol and target; fails the test if there is none.
const CompiledKernel& find_kernel(const std::vector<CompiledKernel>& kernels, std::string_view symbol,
                                  std::string_view target = {});

}  // namespace gdsim::testing
