#pragma once

#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <string>
#include <vector>

namespace gdsim::testing {

using Words = std::vector<std::string>;

inline const std::string kTwoArguments =
    "      - .address_space: global\n        .offset: 0\n        .size: 8\n        .value_kind: global_buffer\n"
    "      - .offset: 8\n        .size: 4\n        .value_kind: by_value\n";

/// `v_rcp_f32` unless scc is set.
inline const std::string kRootIfZero = "\ts_cbranch_scc1 .Lend\n\tv_rcp_f32 v6, v6\n.Lend:\n";

/// A kernel `k` of gfx90a that executes this code from line 4 on, and then stores a word of each work-item.
inline std::string code_with(const std::string& code, const std::string& arguments = kTwoArguments) {
  return "\t.text\n\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\nk:\n" + code +
         "\ts_load_dwordx2 s[4:5], s[0:1], 0x0\n\ts_waitcnt lgkmcnt(0)\n\tv_lshlrev_b32_e32 v1, 2, v0\n"
         "\tglobal_store_dword v1, v2, s[4:5]\n\ts_endpgm\n\t.section\t.rodata,#alloc\n\t.amdhsa_kernel k\n"
         "\t\t.amdhsa_user_sgpr_count 2\n\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
         "\t\t.amdhsa_system_sgpr_workgroup_id_x 1\n\t.end_amdhsa_kernel\n\t.text\n\t.amdgpu_metadata\n---\n"
         "amdhsa.kernels:\n  - .agpr_count: 0\n    .args:\n" +
         arguments +
         "    .group_segment_fixed_size: 0\n    .kernarg_segment_align: 8\n    .kernarg_segment_size: 12\n"
         "    .max_flat_workgroup_size: 1024\n    .name: k\n    .private_segment_fixed_size: 0\n    .sgpr_count: 16\n"
         "    .symbol: k.kd\n    .vgpr_count: 8\n    .wavefront_size: 64\n"
         "amdhsa.target: amdgcn-amd-amdhsa--gfx90a\namdhsa.version:\n  - 1\n  - 2\n...\n\t.end_amdgpu_metadata\n";
}

/// The same of gfx1100, in waves of 32.
inline std::string rdna_code_with(const std::string& code) {
  std::string text =
      replaced_everywhere(replaced_everywhere(code_with(code), "gfx90a", "gfx1100"), "size: 64", "size: 32");
  return replaced_everywhere(replaced_everywhere(text, "s_load_dwordx2", "s_load_b64"), "global_store_dword",
                             "global_store_b32");
}

inline Words import_of(const TemporaryFolder& folder, const std::string& text, const Words& more = {},
                       const std::string& grid = "4", const std::string& device = "mi210") {
  Words words{
      "import",  folder.write("k.s", text),      "--program", "--kernel", "k", "--device", device, "--grid", grid,
      "--block", device == "mi210" ? "64" : "32"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline std::string gcn_output(const std::string& code) {
  const TemporaryFolder folder;
  return gdsim_output(import_of(folder, code_with(code)));
}

inline std::string rdna_output(const std::string& code) {
  const TemporaryFolder folder;
  return gdsim_output(import_of(folder, rdna_code_with(code), {}, "4", "rx-7900-xtx"));
}

inline std::string gcn_refusal(const std::string& code, const std::string& arguments = kTwoArguments,
                               const Words& more = {}) {
  const TemporaryFolder folder;
  return gdsim_refusal(import_of(folder, code_with(code, arguments), more));
}

}  // namespace gdsim::testing
