#include "import/binaries.hpp"

#include <catch2/catch.hpp>

// Machine code of Intel, made by hand after the specification of the format: no compiler of it was at hand.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

const std::string kZeInfo =
    "---\n"
    "version:         '1.38'\n"
    "kernels:\n"
    "  - name:            matrix_multiply\n"
    "    execution_env:\n"
    "      barrier_count:   1\n"
    "      grf_count:       256\n"
    "      has_global_atomics: true\n"
    "      required_work_group_size:\n"
    "        - 64\n"
    "        - 2\n"
    "        - 1\n"
    "      simd_size:       16\n"
    "      slm_size:        16384\n"
    "    per_thread_memory_buffers:\n"
    "      - type:            scratch\n"
    "        usage:           spill_fill_space\n"
    "        size:            512\n"
    "  - name:            _Z4copyPf\n"
    "    execution_env:\n"
    "      grf_count:       128\n"
    "      simd_size:       32\n"
    "...\n";

}  // namespace

TEST_CASE(".ze_info gives general registers, SIMD size, shared memory, barriers, spills and the required size") {
  const auto kernels = kernels_of(kZeInfo);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].grf_count == 256U);
  CHECK(kernels[0].sub_group == 16U);
  CHECK(kernels[0].static_slm == 16384U);
  CHECK(kernels[0].barriers == 1U);
  CHECK(kernels[0].spill_bytes == 512U);
  CHECK(kernels[0].required_group == std::array<std::uint64_t, 3>{64, 2, 1});
  CHECK_FALSE(kernels[0].registers);
  CHECK(kernels[1].name == "copy(float*)");
  CHECK(kernels[1].barriers == 0U);
  CHECK(kernels[1].static_slm == 0U);
}

TEST_CASE("a zebin names its family, alone and within a fat binary") {
  const std::string zebin = zebin_of(kZeInfo, 12, 60);
  for (const std::string& file : {zebin, archive_of({{"pad_0", "x"}, {"64.12.60.7", zebin}})}) {
    const auto kernels = kernels_of(file);
    REQUIRE(kernels.size() == 2);
    CHECK(kernels[0].target == "xe_hpc_pvc");
  }
  CHECK(kernels_of(zebin_of(kZeInfo, 12, 55))[0].target == "xe_hpg_dg2_arc");
  CHECK(kernels_of(zebin_of(kZeInfo, 20, 1))[0].target == "xe2_hpg");
  CHECK(kernels_of(zebin_of(kZeInfo, 30, 3))[0].target == "30.3.0");
}

TEST_CASE("a kernel of an archive names its member, also by a name that is too long for a header") {
  const std::string zebin = zebin_of(kZeInfo, 12, 60);
  CHECK(kernels_of(archive_of({{"short.bin", zebin}}))[0].origin == "short.bin");
  std::string archive = archive_of({{"/", "first_of_two_long_names.bin/\nsecond_long_name.bin/\n"}, {"/29", zebin}});
  archive.replace(archive.find("/29/"), 4, "/29 ");
  CHECK(kernels_of(archive)[0].origin == "second_long_name.bin");
}

TEST_CASE("an executable of SYCL with an Intel image is read") {
  const std::string section = "__CLANG_OFFLOAD_BUNDLE__sycl-spir64_gen";
  const auto kernels = kernels_of(ElfBuilder(62).add(section, 1, zebin_of(kZeInfo, 12, 60)).build());
  CHECK(kernels.size() == 2);
}

TEST_CASE("a kernel without registers or SIMD size in .ze_info is refused with its line") {
  CHECK_THAT(refusal_of("kernels:\n  - name: k\n    execution_env:\n      simd_size: 8\n"),
             Contains("hostile:4:7: error: execution_env lacks grf_count"));
  CHECK_THAT(refusal_of("kernels:\n  - name: k\n  # execution_env:\n"), Contains("the kernel k lacks execution_env"));
  CHECK_THAT(refusal_of("# execution_env:\nkernels: 3\n"), Contains("kernels is '3'; a list is needed"));
}
