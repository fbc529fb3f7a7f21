// SPDX-License-Identifier: Apache-2.0
// The arena: an arm per row, a curriculum per column, coloured by how sure the speed-up is.
import { cell, element } from './element.js';
import { number, withoutUnit } from './format.js';
import { opening } from './summary.js';

const MARKS = { faster: '▲ ', open: '', slower: '▼ ' };

export function arena(report) {
  const { columns, rows } = report;
  return [
    ...opening(report),
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
      ...row.cells.map((entry, i) => coloured(names[i], speedUp(entry), entry?.verdict)),
      coloured(
        'Worst case',
        worst(row, columns),
        row.safe ? 'faster' : row.cells[row.worst]?.verdict,
      ),
      cell('Cost of measuring', cost(row)),
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

function coloured(label, words, verdict) {
  return cell(label, words, verdict && { class: verdict });
}

function speedUp(entry) {
  if (!entry?.speedUp) return ['–'];
  const { ratio, bound, interval, remark } = entry.speedUp;
  if (ratio === null) return ['–', remark];
  const words = `${MARKS[entry.verdict]}${bound === 'none' ? '' : `${bound} `}${number(ratio)}×`;
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
        : `to a ${withoutUnit(goal.label)} of ${number(goal.threshold)} (${goal.origin})`;
    return element('li', {}, element('b', {}, name), ` – ${curriculum}, ${tasks} tasks: ${reach}`);
  });
  return element('ul', { id: 'goals', class: 'soft' }, ...lines);
}
