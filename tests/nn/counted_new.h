// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gradus {

/// Number of calls of operator new in this program so far, on all threads.
long allocations();

}  // namespace gradus
