#include "import/binaries.hpp"
#include <gdsim/import/object_files.hpp>

#include <catch2/catch.hpp>

// Machine code of AMD. The measure is the metadata that the compiler wrote into its assembly.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

void require_same(const CompiledKernel& a, const CompiledKernel& b) {
  CHECK(a.symbol == b.symbol);
  CHECK(a.target == b.target);
  CHECK(a.registers == b.registers);
  CHECK(a.accumulation_registers == b.accumulation_registers);
  CHECK(a.scalar_registers == b.scalar_registers);
  CHECK(a.static_slm == b.static_slm);
  CHECK(a.stack == b.stack);
  CHECK(a.sub_group == b.sub_group);
  CHECK(a.max_group_size == b.max_group_size);
  CHECK(a.required_group == b.required_group);
  CHECK(a.spilled_registers == b.spilled_registers);
  CHECK(a.is_wgp_mode == b.is_wgp_mode);
}

/// Metadata of one kernel as LLVM 15 and later write it.
std::string metadata(const std::string& target, const std::string& keys) {
  return "\t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: k\n    .group_segment_fixed_size: 0\n" + keys +
         "amdhsa.target: amdgcn-amd-amdhsa--" + target + "\n...\n\t.end_amdgpu_metadata\n";
}

}  // namespace

TEST_CASE("a code object says what the assembly says from which it was made, for four targets") {
  for (const std::string target : {"gfx906", "gfx908", "gfx90a", "gfx1030"}) {
    INFO(target);
    const auto object = kernels_of(fixture("amd." + target + ".co"));
    const auto assembly = kernels_of(fixture("amd." + target + ".s"));
    CHECK(object.size() >= 7);
    REQUIRE(object.size() == assembly.size());
    for (std::size_t i = 0; i < object.size(); ++i) require_same(object[i], assembly[i]);
  }
}

TEST_CASE("registers, local memory, spills and bounds of a code object are read") {
  const auto kernels = kernels_of(fixture("amd.gfx90a.co"));
  const CompiledKernel& exact = find_kernel(kernels, "exactly_128");
  CHECK(exact.target == "gfx90a");
  CHECK(exact.static_slm == 256U);
  CHECK(exact.max_group_size == 128U);
  CHECK(exact.required_group == std::array<std::uint64_t, 3>{64, 2, 1});
  CHECK(exact.sub_group == 64U);
  CHECK_FALSE(exact.barriers);  // the file does not say
  const CompiledKernel& spills = find_kernel(kernels, "spills");
  CHECK(spills.spilled_registers > 0U);
  CHECK(spills.stack > 0U);
  CHECK(find_kernel(kernels_of(fixture("amd.gfx1030.co")), "plain").sub_group == 32U);
}

TEST_CASE("the mode in which work-groups run is read from the descriptor, where the metadata does not have it") {
  for (const CompiledKernel& kernel : kernels_of(fixture("amd.gfx1030.co"))) CHECK(kernel.is_wgp_mode == true);
  CHECK(find_kernel(kernels_of(fixture("amd.gfx1030.cumode.co")), "plain").is_wgp_mode == false);
  for (const CompiledKernel& kernel : kernels_of(fixture("amd.gfx90a.co"))) CHECK_FALSE(kernel.is_wgp_mode);
}

TEST_CASE("each target of an offload bundle is read, alone and within an executable") {
  const std::string bundle = fixture("amd.bundle");
  for (const std::string& file :
       {bundle, ElfBuilder(62).add(".hip_fatbin", 1, std::string(4096, '\0') + bundle).build()}) {
    const auto kernels = kernels_of(file);
    for (const std::string target : {"gfx906", "gfx908", "gfx90a", "gfx1030"})
      CHECK(find_kernel(kernels, "with_lds", target).static_slm == 1024U);
  }
}

TEST_CASE("where both kinds of registers share a file, those for accumulation are taken out of the sum") {
  const std::string keys = "    .vgpr_count: 140\n    .agpr_count: 40\n";
  const auto unified = kernels_of(metadata("gfx942", keys));
  CHECK(unified[0].registers == 100U);
  CHECK(unified[0].accumulation_registers == 40U);
  const auto separate = kernels_of(metadata("gfx908", keys));
  CHECK(separate[0].registers == 140U);
  CHECK(separate[0].accumulation_registers == 40U);
  CHECK_THAT(refusal_of(metadata("gfx90a", "    .vgpr_count: 8\n    .agpr_count: 9\n")),
             Contains("hostile:4:5: error: .agpr_count is more than .vgpr_count"));
}

TEST_CASE("a kernel says in which mode its work-groups run, where the metadata has it") {
  CHECK(kernels_of(metadata("gfx1100", "    .vgpr_count: 8\n    .workgroup_processor_mode: 1\n"))[0].is_wgp_mode ==
        true);
  CHECK(kernels_of(metadata("gfx1100", "    .vgpr_count: 8\n    .workgroup_processor_mode: 0\n"))[0].is_wgp_mode ==
        false);
  CHECK_FALSE(kernels_of(metadata("gfx1100", "    .vgpr_count: 8\n"))[0].is_wgp_mode);
}

TEST_CASE("metadata that lacks what occupancy needs, or has what cannot be, is refused with its line") {
  CHECK_THAT(refusal_of(metadata("gfx906", "")), Contains("hostile:4:5: error: a kernel lacks .vgpr_count"));
  CHECK_THAT(refusal_of(metadata("gfx906", "    .vgpr_count: many\n")),
             Contains("hostile:6:18: error: .vgpr_count is"));
  CHECK_THAT(refusal_of(metadata("gfx906", "    .vgpr_count: 8000000\n")), Contains("at most 1000000 is possible"));
  CHECK_THAT(refusal_of("\t.amdgpu_metadata\n---\n"), Contains("does not end: .end_amdgpu_metadata is needed"));
}

TEST_CASE("a code object of version 2, or without metadata, is refused by name") {
  const auto object = [](const std::string& note) {
    return ElfBuilder(elf_machine::kAmdGpu).add(".note", kElfNote, note).build();
  };
  CHECK_THAT(refusal_of(object(elf_note("AMD", 10, "---"))), Contains("code object of version 2"));
  CHECK_THAT(refusal_of(object("")), Contains("no note with the metadata"));
}
