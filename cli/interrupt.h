#pragma once

namespace gradus::cli {

/// From here on the first SIGINT or SIGTERM only sets the flag that interrupted() reads; another
/// one, some seconds later, ends the program at once.
void catch_interrupts();
bool interrupted();

}  // namespace gradus::cli
