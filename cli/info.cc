// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include <cblas.h>
#include <fmt/format.h>

#include "cli/commands.h"
#include "gradus/core/version.h"
#include "gradus/nn/cpu/fast/products.h"
#include "gradus/nn/device.h"

namespace gradus::cli {

void add_info(CLI::App& app) {
  app.add_subcommand("info", "Show the version, the build and the hardware")->callback([] {
    fmt::print("gradus {}\n", version());
    fmt::print("compiler    {}\n", __VERSION__);
    fmt::print("simd        {}\n", fast::simd_name());
    fmt::print("blas        {} ({})\n", openblas_get_config(), openblas_get_corename());
    fmt::print("cuda        {}\n", cuda_description());
    fmt::print("processors  {}\n", std::thread::hardware_concurrency());
  });
}

}  // namespace gradus::cli
