// SPDX-License-Identifier: Apache-2.0
// The arena: an arm per row, a curriculum per column, coloured by how sure the speed-up is.
import { element } from './element.js';
import { number } from './format.js';

const MARKS = { faster: '▲ ', open: '', slower: '▼ ' };

export function arena({ title, finding, columns, rows, notes }) {
  return [
    element('h1', {}, title),
    element('p', { id: 'finding' }, finding),
    ...notes.map((note) => element('p', { class: 'note' }, note)),
    element('section', { class: 'wide' }, table(columns, rows)),
    element('section', {}, goals(columns)),
  ];
}

function table(columns, rows) {
  const names = [...columns.map(({ name }) => name), 'Worst case', 'Cost of measuring'];
  const heads = ['Arm', ...names].map((name) => element('th', { scope: 'col' }, name));
  const body = rows.map((row) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, row.arm, element('small', {}, row.summary)),
      ...row.cells.map((cell, i) => box(names[i], cell?.verdict, ...speedUp(cell))),
      box(
        'Worst case',
        row.safe ? 'faster' : row.cells[row.worst]?.verdict,
        ...worst(row, columns),
      ),
      box('Cost of measuring', undefined, ...cost(row)),
    ),
  );
  return element(
    'table',
    { id: 'arena' },
    element('caption', {}, caption()),
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...body),
  );
}

function caption() {
  return (
    'Speed-up over uniform sampling, with a 95% interval: how many times fewer input steps an arm ' +
    'needs to reach the goal of a column or, if its tasks contradict each other, how many times ' +
    'lower its loss is. ▲ above 1, ▼ below 1; otherwise the interval contains 1. ' +
    'Cost: forward passes per batch that only measure, and seconds per input step relative to ' +
    'uniform sampling.'
  );
}

function box(label, verdict, text, small) {
  const words = element('span', {}, text);
  if (small) words.append(element('small', {}, small));
  return element('td', { 'data-label': label, ...(verdict && { class: verdict }) }, words);
}

function speedUp(cell) {
  if (!cell?.speedUp) return ['–'];
  const { ratio, bound, interval, remark } = cell.speedUp;
  if (ratio === null) return ['–', remark];
  const words = `${MARKS[cell.verdict]}${bound === 'none' ? '' : `${bound} `}${number(ratio)}×`;
  return [words, interval ? `${number(interval[0])} to ${number(interval[1])}` : remark];
}

function worst({ worst, cells, safe }, columns) {
  if (worst === null) return ['–'];
  const words = `${number(cells[worst].speedUp.ratio)}× on ${columns[worst].name}`;
  return [words, safe ? 'never slower than uniform sampling' : ''];
}

function cost({ passes, seconds }) {
  const time = seconds === null ? '' : `${number(seconds)}× the time per step`;
  return [passes === 1 ? '1 pass' : `${passes} passes`, time];
}

function goals(columns) {
  const lines = columns.map(({ name, curriculum, tasks, goal }) => {
    const reach =
      goal.threshold === null
        ? goal.origin || 'no goal yet'
        : `to a ${goal.label.replace(/ \(.*/, '')} of ${number(goal.threshold)} (${goal.origin})`;
    return element('li', {}, element('b', {}, name), ` – ${curriculum}, ${tasks} tasks: ${reach}`);
  });
  return element('ul', { id: 'goals', class: 'soft' }, ...lines);
}
