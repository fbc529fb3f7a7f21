// SPDX-License-Identifier: Apache-2.0
// The title, the finding and a summary of the runs.
import { element } from './element.js';
import { plural, steps } from './format.js';

export function summary(report) {
  const runs = report.groups.reduce((sum, group) => sum + group.seeds.length, 0);
  const ends = report.groups.flatMap((group) => group.steps);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const target = report.target === null ? '' : `, with the target ${report.target}`;
  const same = steps(least) === steps(most);
  const words =
    `${plural(runs, 'run')} in ${plural(report.groups.length, 'group')} on ${report.curriculumTitle}: ` +
    `${plural(report.tasks, 'task')}${target}. ` +
    `Trained for ${same ? steps(most) : `${steps(least)} to ${steps(most)}`} input steps; ${statusText(report.groups)}.`;
  return opening(report, element('p', { id: 'summary' }, words));
}

// The title, the finding and the notes, with `more` before the notes.
export function opening({ title, finding, notes }, ...more) {
  return [
    element('h1', {}, title),
    element('p', { id: 'finding' }, finding),
    ...more,
    ...notes.map((note) => element('p', { class: 'note' }, note)),
  ];
}

function statusText(groups) {
  const counts = {};
  for (const { status } of groups) {
    for (const [name, count] of Object.entries(status)) counts[name] = (counts[name] ?? 0) + count;
  }
  const names = Object.keys(counts);
  if (names.length === 1 && names[0] === 'finished') return 'all are finished';
  return names
    .map((name) => `${counts[name]} ${name === 'running' ? 'still running' : name}`)
    .join(', ');
}
