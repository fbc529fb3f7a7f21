// SPDX-License-Identifier: Apache-2.0
// One run: its progress, its tasks now, its curves, settings, events and log.
import { element } from '../../report/src/element.js';
import { steps } from '../../report/src/format.js';
import { showRunActions } from './actions.js';
import { get } from './api.js';
import { LiveFigures } from './live_figures.js';
import { Tasks } from './tasks.js';
import { duration, heldOut, loss, progress, rate, share } from './words.js';

const PAUSE = 1500; // milliseconds between two requests

export class RunView {
  constructor(name) {
    this.name = name;
    this.status = element('span', { class: 'status' });
    this.act = element('span', { class: 'actions' });
    this.bar = element('i', {});
    this.facts = element('p', { class: 'facts' });
    this.problem = element('p', { class: 'note' });
    this.tasks = new Tasks();
    this.figures = new LiveFigures({ withTable: false });
    this.settings = element('tbody', {});
    this.events = element('tbody', {});
    this.log = element('pre', { id: 'log' });
    this.where = element('p', { class: 'soft' });
    this.node = element(
      'article',
      { id: 'run' },
      element('p', {}, element('a', { href: '#' }, '← All runs')),
      element('h1', {}, name, ' ', this.status),
      this.act,
      element('div', { class: 'track wide' }, this.bar),
      this.facts,
      this.problem,
      this.tasks.node,
      this.figures.node,
      fold('Events', true, element('table', { id: 'events', class: 'plain' }, this.events)),
      fold('Log', true, this.log),
      fold('Settings', false, element('table', { id: 'settings', class: 'plain' }, this.settings)),
      this.where,
    );
    this.rest = 0;
  }

  // Called whenever the listing has changed.
  update(row) {
    if (!row) {
      this.problem.hidden = false;
      this.problem.textContent = 'There is no such run any more.';
      return;
    }
    this.status.textContent = row.status;
    this.status.className = `status ${row.status}`;
    this.bar.style.width = `${100 * share(row)}%`;
    const { value, of } = heldOut(row);
    this.facts.textContent = [
      `${progress(row)} input steps`,
      rate(row),
      row.left === null || row.left === undefined ? '' : `${duration(row.left)} left`,
      `training loss ${loss(row.training)}`,
      `${of} loss ${loss(value)} ${row.unit ?? ''}`,
      row.host ? `on ${row.host}` : '',
    ]
      .filter(Boolean)
      .join(' · ');
    const reason = row.problem ?? row.reason;
    this.problem.hidden = !reason;
    this.problem.textContent = reason ?? '';
    showRunActions(this.act, row);
    if (row.problem || row.status === 'waiting') return;
    this.figures.show([row]);
    const now = JSON.stringify(row);
    if (now === this.shown) return;
    this.shown = now;
    this.fetchSoon(row);
  }

  fetchSoon(row) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fetch(row), Math.max(0, this.rest - performance.now()));
  }

  async fetch(row) {
    this.rest = performance.now() + PAUSE;
    try {
      this.fill(await get(`/api/run?n=${row.n}`));
    } catch (error) {
      this.problem.hidden = false;
      this.problem.textContent = error.message;
    }
  }

  fill({ settings, events, log, tasks, folder, version }) {
    if (!this.node.isConnected) return;
    this.tasks.show(tasks);
    this.settings.replaceChildren(
      ...Object.entries(settings).map(([key, value]) => line([key, value])),
    );
    this.events.replaceChildren(
      ...events.map(({ time, steps: at, kind, message }) =>
        line([time.replace('T', ' ').replace('Z', ''), kind, `${steps(at)} steps`, message]),
      ),
    );
    const atEnd = this.log.scrollTop + this.log.clientHeight >= this.log.scrollHeight - 4;
    this.log.textContent =
      log || 'No log: only runs that were started or resumed from this page have one.';
    if (atEnd) this.log.scrollTop = this.log.scrollHeight;
    this.where.textContent = `${folder}, gradus ${version}`;
  }

  stop() {
    clearTimeout(this.timer);
    this.tasks.stop();
    this.figures.stop();
  }
}

const line = (texts) => element('tr', {}, ...texts.map((text) => element('td', {}, text)));

function fold(title, open, ...children) {
  const node = element('details', {}, element('summary', {}, title), ...children);
  node.open = open;
  return node;
}
