"""Scenarios for the command line, written into a folder."""
import os

KERNEL = "{global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}"


def write_scenarios(folder):
    """name -> path."""
    def scenario(name, text):
        path = os.path.join(folder, name + ".yaml")
        with open(path, "w") as file:
            file.write(f"scenario: {name}\n" + text)
        return path

    def job(groups):
        return ("device: {base: tiny, cores: 132, engines_per_core: 1, contexts_per_engine: 64, sub_group_sizes: [1],\n"
                "         work_groups_per_core: 8}\n"
                f"kernels:\n  k:\n    global: {groups * 8}\n    local: 8\n    sub_group: 1\n"
                "    program: [compute: 10 us]\n"
                "    variation: {distribution: uniform, cv: 0.1, seed: 1}\nlaunches: [kernel: k]\n")

    def kernels(count, device, launches):
        return (f"device: {device}\nkernels:\n" + "".join(f"  k{i}: {KERNEL}\n" for i in range(count)) +
                "launches:\n" + "".join(f"  - kernel: k{i}\n" for i in range(launches)))

    return {
        "kernels": scenario("kernels", kernels(50_000, "tiny", 1)),
        "kernels_run": scenario("kernels_run", kernels(50_000, "{base: tiny, cores: 132}", 50_000)),
        "launches": scenario("launches", f"device: tiny\nkernels: {{k: {KERNEL}}}\nlaunches:\n" +
                             "  - kernel: k\n" * 100_000),
        "job_6": scenario("job_6", job(10**6)),
        "job_7": scenario("job_7", job(10**7)),
    }
