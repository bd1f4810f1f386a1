// Prints the instruction sets that the library would choose from here, the best one first.

#include "askfew/system/instruction_sets.h"

#include <cstdio>

int main() {
  for (std::int64_t left = askfew::processor_instruction_sets() & HWY_TARGETS; left != 0; left &= left - 1)
    std::puts(hwy::TargetName(left & -left));
}
