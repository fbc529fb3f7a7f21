// SPDX-License-Identifier: Apache-2.0
// The policy and the loss of every task now: as a map and as bars.
import { element } from '../../report/src/element.js';
import { ShownFigure } from '../../report/src/figure.js';
import { highest, mapKinds } from '../../report/src/figures.js';
import { escape, number, steps } from '../../report/src/format.js';

const COLUMNS = 10; // of the map, if the tasks do not form a grid
const MOST_BARS = 60;

export class Tasks {
  constructor() {
    this.map = element('div', {});
    this.bars = element('div', { class: 'bars' });
    this.words = element('p', { class: 'soft' });
    this.all = false;
    this.more = element('button', { type: 'button' });
    this.more.addEventListener('click', () => {
      this.all = !this.all;
      this.fillBars();
    });
    this.node = element(
      'section',
      { id: 'tasks' },
      element('h2', {}, 'Tasks now'),
      this.words,
      this.map,
      this.bars,
      this.more,
    );
  }

  show(tasks) {
    this.tasks = tasks;
    if (!tasks.policy) {
      this.words.textContent = 'The run has not been evaluated yet.';
      return;
    }
    const measured = tasks.loss.some((value) => value !== null);
    this.words.textContent =
      `Policy at ${steps(tasks.steps)} input steps` +
      (measured ? `; held-out loss in ${tasks.lossUnit}, at ${steps(tasks.lossSteps)}.` : '.');
    const figure = mapFigure(tasks);
    if (this.figure) {
      this.figure.update(figure);
    } else {
      this.figure = new ShownFigure(figure);
      this.map.append(this.figure.node);
      this.figure.start();
    }
    this.fillBars();
  }

  fillBars() {
    const { names, policy, loss, target } = this.tasks;
    const order = names.map((_, i) => i);
    if (names.length > MOST_BARS && !this.all) {
      order.sort((a, b) => policy[b] - policy[a]).splice(MOST_BARS);
      order.sort((a, b) => a - b);
    }
    this.more.hidden = names.length <= MOST_BARS;
    this.more.textContent = this.all
      ? `Only the ${MOST_BARS} most probable`
      : `All ${names.length} tasks`;
    const head = ['Task', 'Policy', 'Loss'].map((name) => element('span', { class: 'soft' }, name));
    this.bars.replaceChildren(
      ...head,
      ...order.flatMap((i) => [
        element('span', { class: 'name' }, names[i] + (i === target ? ' (target)' : '')),
        bar(policy[i], highest(policy), 'policy'),
        bar(loss[i], highest(loss), 'loss'),
      ]),
    );
  }

  stop() {
    this.figure?.stop();
  }
}

function bar(value, most, kind) {
  const fill = element('i', { class: kind });
  fill.style.width = `${(100 * (value ?? 0)) / most}%`;
  return element(
    'span',
    { class: 'bar' },
    element('span', { class: 'track' }, fill),
    element('span', { class: 'number' }, number(value)),
  );
}

function mapFigure(tasks) {
  const kinds = mapKinds(tasks.lossUnit).filter(([kind]) =>
    tasks[kind].some((value) => value !== null),
  );
  const { xs, ys, axes, at, wide } = layout(tasks);
  const height = Math.max(wide ? 90 + 30 * ys.length : 260, 70 + 18 * ys.length);
  return {
    id: 'task-map',
    kind: 'heat',
    panelWidth: 320,
    title: 'Policy and loss of every task',
    caption:
      'Probability of a draw and held-out loss at the last evaluation. Point at a cell for its numbers.',
    scales: () =>
      Object.fromEntries(
        kinds.map(([kind, label]) => [kind, { label, low: 0, high: highest(tasks[kind]) }]),
      ),
    panels: kinds.map(([kind, label]) => ({
      title: kind === 'policy' ? 'Policy' : 'Loss',
      xs,
      ys,
      xLabel: axes[0],
      yLabel: axes[1],
      values: ys.map((_, y) => xs.map((__, x) => tasks[kind][at(x, y)] ?? null)),
      scale: kind,
      height,
      describe: (x, y, value) =>
        `${escape(tasks.names[at(x, y)])}<br>${label} <b>${number(value)}</b>`,
    })),
  };
}

// Where each task is on the map: on the grid of its two axes, or line by line.
function layout({ names, axes }) {
  if (axes.length === 2) {
    const [first, second] = axes.map(({ values }) => values);
    const xs = [...new Set(first)].sort((a, b) => a - b);
    const ys = [...new Set(second)].sort((a, b) => a - b);
    const places = new Map(names.map((_, i) => [`${first[i]} ${second[i]}`, i]));
    return {
      xs,
      ys,
      axes: axes.map(({ name }) => name),
      at: (x, y) => places.get(`${xs[x]} ${ys[y]}`),
    };
  }
  if (axes.length === 1) {
    return { xs: axes[0].values, ys: [''], axes: [axes[0].name, ''], at: (x) => x, wide: true };
  }
  const columns = Math.min(COLUMNS, names.length);
  const rows = Math.ceil(names.length / columns);
  const ys = Array.from({ length: rows }, (_, i) => String(1 + i * columns));
  return {
    xs: Array(columns).fill(''),
    ys: ys.reverse(),
    axes: ['tasks, from left to right', ''],
    at: (x, y) => (rows - 1 - y) * columns + x,
    wide: true,
  };
}
