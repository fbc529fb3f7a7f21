// SPDX-License-Identifier: Apache-2.0
import { element } from '../../report/src/element.js';
import { plural } from '../../report/src/format.js';
import { follow, token } from './api.js';
import { List } from './list.js';
import { LiveFigures } from './live_figures.js';
import { Runs } from './runs.js';
import { RunView } from './run_view.js';
import { Start } from './start.js';

const FEW = 30; // at most so many runs are selected when the page opens

const runs = new Runs();
const figures = new LiveFigures({ withTable: true });
const list = new List(runs, compare);
let view = null; // of a single run

const light = element('span', { id: 'live', class: 'soft' }, 'connecting');
const counts = element('span', { id: 'counts', class: 'chips' });
const search = element('input', {
  type: 'search',
  placeholder: 'Filter by name',
  'aria-label': 'filter by name',
});
search.addEventListener('input', () => list.filter({ text: search.value }));
const chosen = element('h2', { id: 'chosen' });
const clear = element('button', { type: 'button' }, 'Clear the selection');
clear.addEventListener('click', () => {
  runs.select([...runs.selected], false);
  list.showSelection();
  compare();
});
const start = new Start();
const starter = element('button', { type: 'button', id: 'starter' }, 'Start a run…');
starter.addEventListener('click', () => start.open(runs.selectedRows()[0]));
starter.hidden = !token();
const overview = element(
  'div',
  { id: 'overview' },
  element('header', {}, element('h1', {}, 'Gradus'), light, starter),
  element('div', { class: 'controls' }, search, counts),
  list.node,
  element(
    'section',
    { id: 'compare' },
    element('div', { class: 'controls' }, chosen, clear),
    figures.node,
  ),
);
document.getElementById('page').replaceChildren(overview, start.node);

let status = '';
function showCounts() {
  counts.replaceChildren(
    ...runs.counts().map(([name, count]) => {
      const chip = element(
        'button',
        { type: 'button', class: 'choice', 'aria-pressed': String(status === name) },
        element('span', { class: `status ${name}` }, name),
        String(count),
      );
      chip.addEventListener('click', () => {
        status = status === name ? '' : name;
        list.filter({ status });
        showCounts();
      });
      return chip;
    }),
  );
}

function compare() {
  const rows = runs.selectedRows();
  chosen.textContent =
    rows.length > 0 ? `Comparing ${plural(rows.length, 'run')}` : 'Select runs to compare them';
  clear.hidden = rows.length === 0;
  if (!view) figures.show(rows);
}

// #run=NAME shows one run.
function route() {
  const name = location.hash.startsWith('#run=')
    ? decodeURIComponent(location.hash.slice(5))
    : null;
  if (view && view.name === name) return;
  view?.stop();
  view?.node.remove();
  view = name === null ? null : new RunView(name);
  overview.hidden = view !== null;
  if (view) {
    figures.stop();
    document.getElementById('page').append(view.node);
    view.update(runs.byName.get(name));
    scrollTo(0, 0);
  } else {
    compare();
  }
}

// Selects the runs that can be compared with the one that was started last, unless they are many.
function selectFirst() {
  const rows = [...runs.rows.values()].filter(({ started }) => started);
  const last = rows.reduce((a, b) => (b.started > (a?.started ?? 0) ? b : a), null);
  const alike = rows.filter(
    (row) => row.curriculum === last.curriculum && row.tasks === last.tasks,
  );
  if (alike.length <= FEW)
    runs.select(
      alike.map(({ name }) => name),
      true,
    );
}

let whole = true; // whether the next event has the whole listing
follow(
  '/api/events',
  (event) => {
    const first = runs.rows.size === 0 && runs.selected.size === 0;
    runs.apply(event, whole);
    const changed = whole ? [...runs.rows.values()] : event.runs;
    whole = false;
    if (first) selectFirst();
    list.update(changed);
    if (first) list.showSelection();
    showCounts();
    if (view) view.update(runs.byName.get(view.name));
    else compare();
  },
  (connected, problem) => {
    if (!connected) whole = true;
    light.className = connected ? 'live' : 'soft';
    light.textContent = connected ? 'live' : (problem ?? 'no connection; trying again');
  },
);
window.addEventListener('hashchange', route);
route();
