// SPDX-License-Identifier: Apache-2.0
// CMake needs a source file to precompile headers for; tests/CMakeLists.txt lists the headers.
