// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gradus::cli {

/// After this call, the first SIGINT or SIGTERM sets the flag that interrupted() reads and says on
/// stderr that the program is waiting for `work`, a few words. Another one, a second or more later,
/// ends the program at once. A signal that was ignored when the program started stays ignored.
void catch_interrupts(const char* work);
bool interrupted();

}  // namespace gradus::cli
