// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gradus/curricula/babi/tasks.h"

namespace gradus::babi {

/// Each function draws one story of a task. The rules are at the top of the file named above it.

// where_tasks.cc
Story single_supporting_fact(const Rules& rules, Random& random);
Story yes_no_questions(const Rules& rules, Random& random);
// object_tasks.cc
Story two_supporting_facts(const Rules& rules, Random& random);
Story three_supporting_facts(const Rules& rules, Random& random);
/// One attempt at task 3. Returns nullopt if the story must be discarded, which happens about three
/// times in four.
std::optional<Story> try_three_supporting_facts(Random& random);
// compass_tasks.cc
Story two_argument_relations(const Rules& rules, Random& random);
Story path_finding(const Rules& rules, Random& random);
// giving.cc
Story three_argument_relations(const Rules& rules, Random& random);
// holding_tasks.cc
Story counting(const Rules& rules, Random& random);
Story lists_sets(const Rules& rules, Random& random);
// negation.cc
Story simple_negation(const Rules& rules, Random& random);
// indefinite.cc
Story indefinite_knowledge(const Rules& rules, Random& random);
// coreference_tasks.cc
Story basic_coreference(const Rules& rules, Random& random);
Story conjunction(const Rules& rules, Random& random);
Story compound_coreference(const Rules& rules, Random& random);
// time.cc
Story time_reasoning(const Rules& rules, Random& random);
// animal_tasks.cc
Story basic_deduction(const Rules& rules, Random& random);
Story basic_induction(const Rules& rules, Random& random);
// positions.cc
Story positional_reasoning(const Rules& rules, Random& random);
// sizes.cc
Story size_reasoning(const Rules& rules, Random& random);
// motivations.cc
Story agents_motivations(const Rules& rules, Random& random);

}  // namespace gradus::babi
