# Makes a program of all examples in the comments of headers: each is a function of its own, which is given a device, a
# workload and a result. It is there to be compiled.
BEGIN {
  print "#include <gdsim/gdsim.hpp>"
  print "#include <gdsim/report/run_tables.hpp>"
  print "#include <gdsim/scenario/read_scenario.hpp>"
  print "#include <algorithm>"
  print "#include <iostream>"
  print "#include <stop_token>"
}
/^\/\/\/?     / {
  sub(/^\/\/\/?     /, "")
  if (/^#include/) next
  if (!inside) {
    inside = 1
    printf "void example_%d(gdsim::DeviceSpec& device, gdsim::Workload& workload, gdsim::RunResult& result);\n", ++examples
    printf "void example_%d([[maybe_unused]] gdsim::DeviceSpec& device, [[maybe_unused]] gdsim::Workload& workload,\n" \
           "                [[maybe_unused]] gdsim::RunResult& result) {\n", examples
  }
  print
  next
}
# An empty line of a comment belongs to the example that it stands in.
/^\/\/\/?$/ { next }
{ if (inside) print "}"; inside = 0 }
END { if (inside) print "}"; printf "int main() { return %d < 20; }\n", examples }
