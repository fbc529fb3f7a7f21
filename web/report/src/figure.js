// SPDX-License-Identifier: Apache-2.0
// A figure: title, caption, legend, panels, and a button that saves it as SVG.
//   { id, title, caption, kind: 'curves', legend: [{ name, style }], panels, endLabels, panelWidth }
//   { id, title, caption, kind: 'heat', choices?: [name], panels: choice => [...],
//     scales: choice => ({ name: { label, low, high } }), panelWidth }
import { chartIn } from './charts.js';
import { spansDecades } from './curves.js';
import { element } from './element.js';
import { number } from './format.js';
import { optionOf, scalesOf } from './option.js';
import { VIRIDIS } from './palette.js';
import { saveSvg } from './save.js';
import { swatch } from './swatch.js';
import { currentTheme, onThemeChange } from './theme.js';

// A figure on the page. start() draws it once its node is on the page, update() draws new data and
// keeps what the reader has chosen, and stop() frees it.
export class ShownFigure {
  constructor(figure) {
    this.figure = figure;
    this.state = initialState(figure);
    this.title = element('h2', { id: `${figure.id}-title` }, figure.title);
    this.caption = element('p', {}, figure.caption);
    this.controls = element('div', { class: 'controls' });
    this.panels = element('div', { class: 'panels', style: `--panel:${figure.panelWidth}px` });
    this.node = element(
      'figure',
      { id: figure.id, 'aria-labelledby': `${figure.id}-title` },
      element('figcaption', {}, this.title, this.caption, this.controls),
      this.panels,
    );
    this.look = ''; // of the controls
    this.draw = this.draw.bind(this);
    this.observer = new ResizeObserver(this.draw);
    this.forgetTheme = () => {};
    this.makeBoxes();
  }

  start() {
    this.makeCharts();
    this.forgetTheme = onThemeChange(this.draw);
    this.observer.observe(this.panels); // fires once at the start, which draws the figure
  }

  update(figure) {
    const before = this.figure;
    this.figure = figure;
    this.title.textContent = figure.title;
    this.caption.textContent = figure.caption;
    if (names(before) !== names(figure)) {
      this.state.hidden.clear();
      this.state.choice = figure.firstChoice ?? 0;
    }
    if (!this.fitsBoxes()) {
      for (const { chart } of this.charts) chart.dispose();
      this.makeBoxes();
      this.makeCharts();
    }
    this.draw();
  }

  stop() {
    this.forgetTheme();
    this.observer.disconnect();
    for (const { chart } of this.charts) chart?.dispose();
  }

  draw() {
    const { figure, state } = this;
    const theme = currentTheme();
    // Buttons that are replaced under the reader's finger lose the click.
    const look = JSON.stringify([names(figure), scalesOf(figure, state), [...state.hidden], state]);
    if (look !== this.look) fillControls(this.controls, figure, state, this.draw);
    this.look = look;
    panelsOf(figure, state).forEach((panel, i) => {
      const { box, chart } = this.charts[i];
      chart.resize();
      chart.setOption(optionOf(figure, panel, state, theme, box.clientWidth), { notMerge: true });
      chart.getZr().flush(); // at once: printing does not wait for the next frame
    });
  }

  makeBoxes() {
    this.panels.replaceChildren();
    this.charts = panelsOf(this.figure, this.state).map((panel) => {
      const box = element('div', {
        class: 'panel',
        role: 'img',
        'aria-label': `${this.figure.title}: ${panel.title}`,
      });
      box.style.height = `${panel.height}px`;
      if (panel.place) box.style.gridColumn = panel.place;
      this.panels.append(box);
      return { box, chart: null };
    });
  }

  makeCharts() {
    for (const entry of this.charts) entry.chart = chartIn(entry.box);
  }

  // Whether there is a box of the right height for each panel.
  fitsBoxes() {
    const panels = panelsOf(this.figure, this.state);
    return (
      panels.length === this.charts.length &&
      panels.every((panel, i) => this.charts[i].box.style.height === `${panel.height}px`)
    );
  }
}

// What the reader may choose.
function initialState(figure) {
  const state = {
    hidden: new Set(),
    log: false,
    medians: false,
    singles: false,
    choice: figure.firstChoice ?? 0,
  };
  state.log = panelsOf(figure, state).some((panel) => panel.isLoss && spansDecades(panel));
  // A mean less a deviation may be below 0, which such an axis cannot show. A quartile never is.
  state.medians = state.log;
  return state;
}

const names = (figure) => JSON.stringify([figure.legend, figure.choices]);

function panelsOf(figure, state) {
  return typeof figure.panels === 'function' ? figure.panels(state.choice) : figure.panels;
}

function fillControls(controls, figure, state, draw) {
  const focused = document.activeElement?.dataset?.key;
  const items = [];
  const button = (key, kind, pressed, contents, act) => {
    const node = element('button', { type: 'button', class: kind, 'data-key': key }, ...contents);
    if (pressed !== null) node.setAttribute('aria-pressed', String(pressed));
    node.addEventListener('click', act);
    return node;
  };
  (figure.legend ?? []).forEach(({ name, style }, i) =>
    items.push(
      button(`${figure.id}-${i}`, 'curve', !state.hidden.has(i), [swatch(style), name], () => {
        if (!state.hidden.delete(i)) state.hidden.add(i);
        draw();
      }),
    ),
  );
  (figure.choices ?? []).forEach((name, i) =>
    items.push(
      button(`${figure.id}-${i}`, 'choice', state.choice === i, [name], () => {
        state.choice = i;
        draw();
      }),
    ),
  );
  const end = element('span', { class: 'end' });
  const toggle = (key, words) =>
    end.append(
      button(`${figure.id}-${key}`, 'choice action', state[key], [words], () => {
        state[key] = !state[key];
        draw();
      }),
    );
  const panels = panelsOf(figure, state);
  if (panels.some((panel) => panel.isLoss)) toggle('log', 'logarithmic loss');
  if (panels.some((panel) => panel.curves?.some((curve) => curve.runs))) {
    toggle('medians', 'medians');
    toggle('singles', 'single seeds');
  }
  end.append(
    button(`${figure.id}-save`, 'action', null, ['Save SVG'], () => saveSvg(figure, panels, state)),
  );
  controls.replaceChildren(...items, ...scaleBars(scalesOf(figure, state)), end);
  if (focused) controls.querySelector(`[data-key="${focused}"]`)?.focus();
}

function scaleBars(scales) {
  return Object.values(scales).map(({ label, low, high }) => {
    const bar = element('i', {
      style: `background:linear-gradient(to right, ${VIRIDIS.join(',')})`,
    });
    const words = [label, number(low), number(high)].map((text) => element('span', {}, text));
    return element('span', { class: 'scale' }, words[0], words[1], bar, words[2]);
  });
}
