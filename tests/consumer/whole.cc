// Runs a sampler over a file; this links streams, decompression, models and the workflow.

#include <cstdio>
#include <string>

#include "askfew/askfew.h"

int main(int argc, char** argv) {
  std::printf("askfew %s\n", std::string(askfew::version).c_str());
  if (argc < 2) return 2;
  try {
    askfew::RunOptions options;
    options.data.paths = {argv[1]};
    options.model.sampler.sampler = "sel-p:b=0.1";
    const askfew::Totals all = askfew::run(options).summary.all;
    std::printf("asked %d of %d\n", static_cast<int>(all.asked), static_cast<int>(all.rounds));
  } catch (const askfew::Error& error) {
    std::printf("error: %s\n", error.what());
    return 1;
  }
}
