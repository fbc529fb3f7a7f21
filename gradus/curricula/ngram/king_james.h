#pragma once

#include <string>
#include <string_view>

namespace gradus {

/// The King James Bible of Debian's bible-kjv package, in the shape of the Canterbury corpus's
/// bible.txt. Runs the package's program `bible`, which alone can read its data file. Throws
/// InputError where the program is missing or does not print the whole text.
std::string king_james_text();

/// Brings `bible -f` output, one verse a line behind its reference ("Ge1:1 In the beginning ..."),
/// into that shape: no references; 2 Kings left out; runs of spaces made one; a space at the end of
/// each verse; one verse a line, except that Genesis 1:1 and 1:2 share the first; an empty line at
/// the end. The words are left as they are. Throws InputError where a line has no reference.
std::string canterbury_shape(std::string_view verses);

}  // namespace gradus
