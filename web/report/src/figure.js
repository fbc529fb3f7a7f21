// SPDX-License-Identifier: Apache-2.0
// A figure: title, caption, legend, panels, and a button that saves it as SVG.
//   { id, title, caption, kind: 'curves', legend: [{ name, style }], panels, endLabels, panelWidth }
//   { id, title, caption, kind: 'heat', choices?: [name], panels: choice => [...], scales, panelWidth }
import { chartIn } from './charts.js';
import { spansDecades } from './curves.js';
import { element } from './element.js';
import { number } from './format.js';
import { optionOf } from './option.js';
import { VIRIDIS } from './palette.js';
import { saveSvg } from './save.js';
import { swatch } from './swatch.js';
import { currentTheme, onThemeChange } from './theme.js';

// Shows a figure. start() draws it once its node is on the page, update() draws new data and keeps
// what the reader has chosen, and stop() frees it.
export function showFigure(figure) {
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
  const title = element('h2', { id: `${figure.id}-title` }, figure.title);
  const caption = element('p', {}, figure.caption);
  const controls = element('div', { class: 'controls' });
  const panels = element('div', { class: 'panels', style: `--panel:${figure.panelWidth}px` });
  const node = element(
    'figure',
    { id: figure.id, 'aria-labelledby': `${figure.id}-title` },
    element('figcaption', {}, title, caption, controls),
    panels,
  );
  let charts = [];
  let drawn = '';

  const makeBoxes = () => {
    panels.replaceChildren();
    charts = panelsOf(figure, state).map((panel) => {
      const box = element('div', {
        class: 'panel',
        role: 'img',
        'aria-label': `${figure.title}: ${panel.title}`,
      });
      box.style.height = `${panel.height}px`;
      if (panel.place) box.style.gridColumn = panel.place;
      panels.append(box);
      return { box, chart: null };
    });
  };
  const makeCharts = () => {
    for (const entry of charts) entry.chart = chartIn(entry.box);
  };
  const draw = () => {
    const theme = currentTheme();
    // Buttons that are replaced under the reader's finger lose the click.
    const look = JSON.stringify([
      figure.legend,
      figure.choices,
      figure.scales,
      [...state.hidden],
      state,
    ]);
    if (look !== drawn) fillControls(controls, figure, state, draw);
    drawn = look;
    panelsOf(figure, state).forEach((panel, i) => {
      const { box, chart } = charts[i];
      chart.resize();
      chart.setOption(optionOf(figure, panel, state, theme, box.clientWidth), { notMerge: true });
      chart.getZr().flush(); // at once: printing does not wait for the next frame
    });
  };
  const observer = new ResizeObserver(draw);
  let forgetTheme = () => {};

  makeBoxes();
  return {
    node,
    start() {
      makeCharts();
      forgetTheme = onThemeChange(draw);
      observer.observe(panels); // fires once at the start, which draws the figure
    },
    update(next) {
      const names = JSON.stringify([figure.legend, figure.choices]);
      figure = next;
      title.textContent = figure.title;
      caption.textContent = figure.caption;
      if (names !== JSON.stringify([figure.legend, figure.choices])) {
        state.hidden.clear();
        state.choice = figure.firstChoice ?? 0;
      }
      const now = panelsOf(figure, state);
      if (
        now.length !== charts.length ||
        now.some((panel, i) => charts[i].box.style.height !== `${panel.height}px`)
      ) {
        for (const { chart } of charts) chart.dispose();
        makeBoxes();
        makeCharts();
      }
      draw();
    },
    stop() {
      forgetTheme();
      observer.disconnect();
      for (const { chart } of charts) chart?.dispose();
    },
  };
}

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
  controls.replaceChildren(...items, ...scaleBars(figure), end);
  if (focused) controls.querySelector(`[data-key="${focused}"]`)?.focus();
}

function scaleBars(figure) {
  return Object.values(figure.scales ?? {}).map(({ label, low, high }) => {
    const bar = element('i', {
      style: `background:linear-gradient(to right, ${VIRIDIS.join(',')})`,
    });
    const words = [label, number(low), number(high)].map((text) => element('span', {}, text));
    return element('span', { class: 'scale' }, words[0], words[1], bar, words[2]);
  });
}
