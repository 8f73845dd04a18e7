#include "command_line.hpp"

int main(int argc, char** argv) { return gdsim::cli::command_line(argc, argv, {}); }
