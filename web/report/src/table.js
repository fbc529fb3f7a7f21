// The table: steps to the threshold, speed-up over uniform sampling, last value.
import { element } from './element.js';
import { number, plural, spread, steps } from './format.js';
import { swatch } from './swatch.js';
import { currentTheme, onThemeChange } from './theme.js';

export function table(report, styles) {
  const { goal } = report;
  const reach = goal.threshold !== null;
  const quantity = goal.label.replace(/ \(.*/, '');
  const columns = ['Runs'];
  if (reach)
    columns.push(
      `Steps to ${quantity} ${goal.rising ? '≥' : '≤'} ${number(goal.threshold)}`,
      'Speed-up over uniform',
    );
  columns.push(`Final ${goal.label}`);

  const body = element('tbody');
  report.groups.forEach((group, i) => {
    const row = report.table[i];
    const cells = [[String(row.runs)]];
    if (reach) cells.push(stepsCell(row), speedCell(row, group));
    cells.push([spread(row.last.mean, row.last.deviation)]);
    body.append(
      element(
        'tr',
        {},
        heading(group, styles[i]),
        ...cells.map(([text, small], k) => {
          const words = element('span', {}, text);
          if (small) words.append(element('small', {}, small));
          return element('td', { 'data-label': columns[k] }, words);
        }),
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
      element('caption', {}, captionText(goal)),
      element('thead', {}, element('tr', {}, ...heads)),
      body,
    ),
  );
}

function captionText(goal) {
  const seeds = 'Mean ± standard deviation over seeds.';
  if (goal.threshold === null) return seeds;
  const origin = goal.origin ? ` (${goal.origin})` : '';
  return (
    `${seeds} The threshold is ${number(goal.threshold)}${origin}, reached where a line between evaluations first ` +
    'crosses it. Speed-up is the mean number of steps of uniform sampling over that of the signal, with a 95% ' +
    'bootstrap interval over seeds.'
  );
}

function heading(group, style) {
  const sample = element('span');
  const draw = () => sample.replaceChildren(swatch(style, currentTheme().name));
  draw();
  onThemeChange(draw);
  return element(
    'th',
    { scope: 'row' },
    sample,
    ` ${group.name}`,
    element('small', {}, group.summary),
  );
}

function stepsCell(row) {
  if (row.reached === row.runs) return [spread(row.steps.mean, row.steps.deviation, steps)];
  const count = `${row.reached} of ${plural(row.runs, 'run')} reached it`;
  return [`> ${steps(row.steps.mean)}`, count];
}

function speedCell(row, group) {
  if (group.gain === 'uniform') return ['1', 'the baseline'];
  if (!row.uniform) return ['–', 'no uniform runs to compare with'];
  const { speedUp } = row;
  if (!speedUp) return ['–', 'too few runs reached the threshold'];
  const text = `${number(speedUp.ratio)}×`;
  if (speedUp.bound !== 'exact')
    return [`${speedUp.bound} ${text}`, 'not all runs reached the threshold'];
  if (!speedUp.interval) return [text, 'no interval: a single run'];
  return [text, `95%: ${number(speedUp.interval[0])} to ${number(speedUp.interval[1])}`];
}
