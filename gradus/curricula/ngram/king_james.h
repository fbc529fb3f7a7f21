// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gradus {

/// The King James Bible of Debian's bible-kjv package, in the format of the Canterbury corpus's
/// bible.txt. Runs the package's program `bible`, since nothing else can read its data file. Throws
/// InputError if the program is missing or does not print the whole text.
std::string king_james_text();

/// Converts the output of `bible -f` to that format. The output has one verse per line after its
/// reference ("Ge1:1 In the beginning ..."). The result has no references and no 2 Kings. Runs of
/// spaces become one space, and every verse ends with a space. There is one verse per line, except
/// that Genesis 1:1 and 1:2 share the first line, and an empty line at the end. The words do not
/// change. Throws InputError if a line has no reference.
std::string canterbury_shape(std::string_view verses);

}  // namespace gradus
