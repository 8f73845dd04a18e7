	.amdgpu_metadata
---
amdhsa.kernels:
  - .name: k
    .vgpr_count: 8
    .group_segment_fixed_size: 64
    .wavefront_size: 64
amdhsa.target: amdgcn-amd-amdhsa--gfx90a
...
	.end_amdgpu_metadata
