// SPDX-License-Identifier: Apache-2.0
// The file of a claim, which a process on any host may have written. Nothing is refused: a claim
// that cannot be read is that of an unknown holder.

#include "gradus/runs/claim.h"

#include "tests/fuzz/fuzz.h"
#include "tests/temporary_folder.h"

namespace gradus::fuzz {

GRADUS_FUZZ_TARGET(claim)(const std::string& bytes) {
  static const testing::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("claims"));
  std::filesystem::remove(folder.path("claims/1"));
  folder.write("claims/1", bytes);
  const auto claim = last_claim(folder.path());
  require(claim && claim->number == 1, "the claim is found");
  require(claim->lease >= 0.1 && claim->lease <= 86400, "the lease is of use");
  require(!claim->holder().empty(), "the holder has a name");
  ClaimWatch().look(folder.path(), *claim);
}

}  // namespace gradus::fuzz
