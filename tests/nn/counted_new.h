#pragma once

namespace gradus {

/// Calls of operator new in this program so far, on all threads.
long allocations();

}  // namespace gradus
