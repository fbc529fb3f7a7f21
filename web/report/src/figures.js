// SPDX-License-Identifier: Apache-2.0
// The figures of a report, in the order of the paper.
import { number, steps as stepText, escape, withoutUnit } from './format.js';
import { orderedStyles } from './palette.js';

export function figuresOf(report, styles) {
  const legend = report.groups.map((group, i) => ({ name: group.name, style: styles[i] }));
  // A single point in time makes no curve.
  const views = report.byTask.steps.length > 1 ? report.byTask.views : [];
  return [
    performance(report, legend),
    ...views.map((view, i) => policies(report, view, i)),
    maps(report),
    ...views.flatMap((view) => byTask(report, view, legend)),
  ].filter(Boolean);
}

function measurePanels(report, legend, names) {
  const found = names.map((name) =>
    report.curves.measures.find((measure) => measure.name === name),
  );
  return found.filter(Boolean).map((measure) => ({
    title: capital(withoutUnit(measure.label)),
    label: measure.label,
    steps: report.curves.steps,
    height: 300,
    isLoss: measure.name.endsWith('_loss'),
    curves: measure.curves.map((curve, i) => ({ ...legend[i], ...curve })),
    ...threshold(report.goal, measure.name),
  }));
}

// Which figure of the paper a figure corresponds to, as a sentence.
function paperFigure(report, kind) {
  const figure = report.paperFigures[kind];
  if (!figure) return '';
  // The paper draws its maps for one signal only.
  return kind === 'maps'
    ? `For gvcg this is the paper's figure ${figure}.`
    : `The paper's figure ${figure}.`;
}

function threshold(goal, name) {
  if (goal.threshold === null || goal.measure !== name) return {};
  return { line: { value: goal.threshold, text: `threshold ${number(goal.threshold)}` } };
}

// Figures 2 and 4: performance of the network, entropy of the policy and its distance from uniform,
// complexity of the network.
function performance(report, legend) {
  const panels = measurePanels(report, legend, performanceMeasures(report));
  if (panels.length === 0) return null;
  if (panels.length % 2 === 1) panels[0].place = '1 / -1';
  const complexity = panels.some(({ title }) => title === 'Complexity');
  return {
    id: 'performance',
    kind: 'curves',
    legend,
    panels,
    endLabels: true,
    panelWidth: 500,
    title: capital(panels.map(({ title }) => title.toLowerCase()).join(', ')),
    caption:
      'Medians or means over runs against input steps. Medians are shaded from the first to the ' +
      'third quartile, means by one standard deviation; single seeds are thin lines. ' +
      'A policy with low entropy concentrates on few tasks; uniform sampling has the highest. ' +
      'The distance from uniform is the share of batches that go to other tasks than under ' +
      'uniform sampling. ' +
      (complexity ? 'Complexity is the KL divergence of the posterior from the prior. ' : '') +
      paperFigure(report, 'performance'),
  };
}

function performanceMeasures(report) {
  const { measure } = report.goal;
  const results = report.target === null ? ['tasks_completed', 'mean_loss'] : ['target_loss'];
  const names = [...new Set([measure, ...results, 'entropy', 'moved', 'complexity'])];
  // Omit completed tasks if they are always 0.
  return names.filter(
    (name) => name !== 'tasks_completed' || name === measure || everCompletes(report),
  );
}

function everCompletes(report) {
  const measure = report.curves.measures.find(({ name }) => name === 'tasks_completed');
  return measure?.curves.some((curve) => curve.mean.some((value) => value > 0));
}

// Whether any task's probability changes: those of `uniform` and `target` never do.
function changes(policy) {
  return policy.some((row) => new Set(row.filter((p) => p !== null)).size > 1);
}

// Figure 1. Ordered tasks have a curve each, other tasks a row of coloured cells each.
function policies(report, view, index) {
  if (!view.policy) return null;
  const adaptive = report.groups
    .map((group, i) => ({ ...group, i }))
    .filter(({ isBaseline, i }) => !isBaseline || changes(view.policy[i]));
  if (adaptive.length === 0) return null;
  const figure = {
    id: `policy-${index + 1}`,
    title: `Policy over time, by ${view.label}`,
    caption:
      `Probability under each signal by ${view.label}, mean over runs` +
      `${view.combined ? ', summed over the tasks with the same value' : ''}. ` +
      paperFigure(report, 'policy'),
  };
  const { steps } = report.byTask;
  const high = highest(adaptive.map(({ i }) => view.policy[i]));
  const draw = view.ordered ? policyCurves : policyCells;
  return { ...figure, ...draw(view, adaptive, steps, high) };
}

function policyCurves(view, groups, steps, high) {
  const styles = orderedStyles(view.rows.length);
  const legend = view.rows.map((name, i) => ({ name, style: styles[i] }));
  return {
    kind: 'curves',
    legend,
    panelWidth: 340,
    panels: groups.map(({ name, i }) => ({
      title: name,
      label: 'probability',
      steps,
      height: 260,
      high: roundUp(high),
      curves: legend.map((key, row) => ({ ...key, mean: view.policy[i][row] })),
    })),
  };
}

function policyCells(view, groups, steps, high) {
  const xs = steps.map(stepText);
  return {
    kind: 'heat',
    panelWidth: 460,
    scales: () => ({ policy: { label: 'probability', low: 0, high } }),
    panels: groups.map(({ name, i }) => ({
      title: name,
      xs,
      xIsTime: true,
      ys: view.rows,
      xLabel: 'input steps',
      yLabel: view.label,
      wideLabels: true,
      values: view.policy[i],
      scale: 'policy',
      height: 90 + 17 * view.rows.length,
      describe: (x, y, value) =>
        `${escape(view.rows[y])}<br>${xs[x]} input steps<br>probability <b>${number(value)}</b>`,
    })),
  };
}

// Figure 3: one map per time bin, with the policy above and the losses below.
function maps(report) {
  if (!report.maps) return null;
  const { cells, lossUnit } = report.maps;
  const kinds = mapKinds(lossUnit).filter(([kind]) => report.maps[kind]);
  if (kinds.length === 0) return null;
  const columns = [...new Set(cells.map(([x]) => x))];
  const rows = [...new Set(cells.map(([, y]) => y))];
  const first = report.groups.findIndex(({ isBaseline }) => !isBaseline);
  // On the scale of a signal that ends on one task, the policies of the others would be dark.
  const shown = (kind, choice) =>
    kind === 'policy' ? report.maps.policy[choice] : report.maps[kind];
  return {
    id: 'maps',
    kind: 'heat',
    panelWidth: 200,
    title: 'Policy and loss over the grid of tasks',
    caption:
      'Policy and held-out loss of every task in five equal periods of time, averaged ' +
      'over runs and over the evaluations in each period. Each policy has a scale of its own; ' +
      'losses have the same scale under all signals. ' +
      paperFigure(report, 'maps'),
    choices: report.groups.map(({ name }) => name),
    firstChoice: Math.max(first, 0),
    scales: (choice) =>
      Object.fromEntries(
        kinds.map(([kind, label]) => [kind, { label, low: 0, high: highest(shown(kind, choice)) }]),
      ),
    panels: (choice) =>
      kinds.flatMap(([kind, label]) =>
        mapPanels(report.maps, columns, rows, { kind, label, values: report.maps[kind][choice] }),
      ),
  };
}

// The maps of one group, a row with one for each bin. `values` has a list of tasks for each bin.
function mapPanels({ axes, edges, cells }, xs, ys, { kind, label, values }) {
  const at = ys.map((y) => xs.map((x) => cells.findIndex((c) => c[0] === x && c[1] === y)));
  return values.map((ofTasks, bin) => ({
    title: `${capital(kind)}, ${stepText(edges[bin])} to ${stepText(edges[bin + 1])}`,
    xs,
    ys,
    xLabel: axes[0],
    yLabel: axes[1],
    values: at.map((row) => row.map((i) => ofTasks[i])),
    scale: kind,
    height: 225,
    place: bin === 0 ? '1' : undefined,
    describe: (x, y, value) =>
      `${axes[0]} ${xs[x]}, ${axes[1]} ${ys[y]}<br>${label} <b>${number(value)}</b>`,
  }));
}

// Figure 5: one panel per task, to compare signals task by task.
function byTask(report, view, legend) {
  const { steps } = report.byTask;
  const paper = paperFigure(report, 'tasks');
  const policy = {
    kind: 'policy',
    title: 'Policy of each task',
    caption: `Probability of each task under each signal, mean over runs. ${paper}`,
    label: () => 'probability',
  };
  const error = {
    kind: 'error',
    title: 'Error on each task',
    caption:
      'Share of questions answered wrong, mean over runs. A task counts as completed below the ' +
      `dashed line at 5%. ${paper}`,
    label: () => 'error',
    line: { value: 0.05, text: '5%' },
  };
  const loss = {
    kind: 'loss',
    title: 'Loss on each task',
    caption: 'Held-out loss of each task under each signal, mean over runs.',
    label: (row) => `loss (${view.lossUnits[row]})`,
  };
  return (view.error ? [policy, error, loss] : [loss])
    .filter(({ kind }) => view[kind])
    .map((figure) => taskFigure(figure, view, steps, legend));
}

// Tasks without values, such as the error of a text, have no panel.
function taskFigure({ kind, title, caption, label, line }, view, steps, legend) {
  const known = (row) => view[kind].some((group) => group[row].some((v) => v !== null));
  const isLoss = kind === 'loss';
  return {
    id: `task-${kind}`,
    kind: 'curves',
    legend,
    panelWidth: 260,
    title,
    caption,
    panels: view.rows
      .map((name, row) => ({
        title: name,
        label: label(row),
        steps,
        height: 210,
        line,
        isLoss,
        high: isLoss ? undefined : roundUp(highest(view[kind])),
        curves: legend.map((key, i) => ({ ...key, mean: view[kind][i][row] })),
      }))
      .filter((_, row) => known(row)),
  };
}

// The smallest round number (1, 2, 3, 5 or 10 times a power of ten) that is not below `value`.
function roundUp(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 5, 10].map((digit) => digit * unit).find((round) => round >= value);
}

// What maps show: the policy and the loss of tasks, with their labels.
export const mapKinds = (lossUnit) => [
  ['policy', 'probability'],
  ['loss', `loss (${lossUnit})`],
];

// The highest number of nested arrays; 1 if there is none above 0.
export function highest(values) {
  return values.flat(Infinity).reduce((most, value) => Math.max(most, value ?? 0), 0) || 1;
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
