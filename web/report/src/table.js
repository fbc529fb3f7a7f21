// SPDX-License-Identifier: Apache-2.0
// The table: steps to the threshold, speed-up over the baseline, final value.
import { cell, element } from './element.js';
import { number, plural, spread, steps, withoutUnit } from './format.js';
import { swatch } from './swatch.js';

export function table(report, styles) {
  const { goal } = report;
  const reach = goal.threshold !== null;
  const quantity = withoutUnit(goal.label);
  const columns = ['Runs'];
  if (reach)
    columns.push(
      `Steps to ${quantity} ${goal.rising ? '≥' : '≤'} ${number(goal.threshold)}`,
      `Speed-up over ${report.baseline}`,
    );
  columns.push(`Final ${goal.label}`);

  const body = element('tbody');
  report.groups.forEach((group, i) => {
    const row = report.table[i];
    const cells = [[String(row.runs)]];
    if (reach) cells.push(stepsCell(row), speedCell(row, group, report.baseline));
    cells.push([spread(row.last.mean, row.last.deviation)]);
    body.append(
      element(
        'tr',
        {},
        heading(group, styles[i]),
        ...cells.map((words, k) => cell(columns[k], words)),
      ),
    );
  });
  const heads = ['Signal', ...columns].map((name) => element('th', { scope: 'col' }, name));
  return element(
    'section',
    {},
    element(
      'table',
      { id: 'comparison' },
      element('caption', {}, captionText(report)),
      element('thead', {}, element('tr', {}, ...heads)),
      body,
    ),
  );
}

function captionText({ goal, baseline }) {
  const seeds = 'Mean ± standard deviation over seeds.';
  if (goal.threshold === null) return seeds;
  const origin = goal.origin ? ` (${goal.origin})` : '';
  return (
    `${seeds} The threshold is ${number(goal.threshold)}${origin}. ` +
    'The steps to reach it are interpolated between evaluations. ' +
    'Typical steps are the geometric mean over seeds, ' +
    'or the median estimated from all runs if some did not reach the threshold. ' +
    `Speed-up is the typical steps of ${baseline} divided by those of the signal, ` +
    'with a 95% interval.'
  );
}

function heading(group, style) {
  return element(
    'th',
    { scope: 'row' },
    swatch(style),
    ` ${group.name}`,
    element('small', {}, group.summary),
  );
}

function stepsCell(row) {
  const typical = `typically ${row.typicalIsBound ? '> ' : ''}${steps(row.typical)}`;
  if (row.reached === row.runs)
    return [spread(row.steps.mean, row.steps.deviation, steps), typical];
  const count = `${row.reached} of ${plural(row.runs, 'run')} reached it`;
  return [`> ${steps(row.steps.mean)}`, row.typical === null ? count : `${typical}; ${count}`];
}

function speedCell(row, group, baseline) {
  if (row.baseline === group.name) return ['1', 'the baseline'];
  if (row.baselines > 1) return ['–', `${row.baselines} groups of ${baseline} to compare with`];
  if (!row.speedUp) return ['–', `no ${baseline} runs to compare with`];
  const { ratio, bound, interval, remark } = row.speedUp;
  if (ratio === null) return ['–', remark];
  const text = `${bound === 'none' ? '' : `${bound} `}${number(ratio)}×`;
  if (!interval) return [text, remark];
  return [text, `95%: ${number(interval[0])} to ${number(interval[1])}`];
}
