// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gradus::cli {

/// After this call, the first SIGINT or SIGTERM only sets the flag that interrupted() reads.
/// Another one, two or more seconds later, ends the program at once. A signal that was ignored when
/// the program started stays ignored.
void catch_interrupts();
bool interrupted();

}  // namespace gradus::cli
