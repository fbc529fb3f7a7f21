// SPDX-License-Identifier: Apache-2.0
// The report's table and figures for some runs, drawn again as the runs go on.
import { element } from '../../report/src/element.js';
import { ShownFigure } from '../../report/src/figure.js';
import { figuresOf } from '../../report/src/figures.js';
import { groupStyles } from '../../report/src/palette.js';
import { table } from '../../report/src/table.js';
import { get } from './api.js';
import { ranges } from './runs.js';

const SHORTEST_PAUSE = 1000; // milliseconds

export class LiveFigures {
  constructor({ withTable }) {
    this.withTable = withTable;
    this.words = element('div', { class: 'words', 'aria-live': 'off' });
    this.place = element('div', { class: 'figures' });
    this.node = element('div', {}, this.words, this.place);
    this.shown = new Map(); // figures by id
    this.query = ''; // the runs to show
    this.asked = ''; // those of the last request
    this.wanted = null; // what the drawn figures should show: runs and their progress
    this.drawn = null;
    this.busy = false;
    this.rest = 0; // time of the next request
  }

  // The rows of the listing to show. Asks the server if they differ from what is drawn.
  show(rows) {
    this.query = ranges(rows.map(({ n }) => n));
    this.wanted = JSON.stringify(rows.map(({ n, status, steps }) => [n, status, steps]).sort());
    if (rows.length === 0) this.clear();
    this.tick();
  }

  async tick() {
    if (this.busy || this.query === '' || this.wanted === this.drawn) return;
    const wait = this.rest - performance.now();
    if (wait > 0 && this.query === this.asked) return this.tickAfter(wait);
    this.busy = true;
    const { wanted, query } = this;
    this.asked = query;
    const start = performance.now();
    try {
      const { current, document } = await get(`/api/report?runs=${query}`);
      if (query === this.query) this.draw(document);
      this.drawn = current ? wanted : null;
    } catch (error) {
      if (query === this.query) this.complain(error.message);
      this.drawn = wanted;
    }
    this.busy = false;
    this.rest = performance.now() + Math.max(SHORTEST_PAUSE, 3 * (performance.now() - start));
    this.tickAfter(query === this.query ? this.rest - performance.now() : 0);
  }

  tickAfter(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tick(), milliseconds);
  }

  draw(report) {
    const styles = groupStyles(report.groups);
    this.words.replaceChildren(
      ...(this.withTable ? [element('p', { class: 'finding' }, report.finding)] : []),
      ...report.notes.map((note) => element('p', { class: 'note' }, note)),
      ...(this.withTable ? [table(report, styles)] : []),
    );
    const figures = figuresOf(report, styles);
    const ids = new Set(figures.map(({ id }) => id));
    for (const [id, figure] of this.shown) {
      if (ids.has(id)) continue;
      this.remove(id, figure);
    }
    for (const figure of figures) {
      const known = this.shown.get(figure.id);
      if (known) {
        known.update(figure);
        continue;
      }
      const made = new ShownFigure(figure);
      this.shown.set(figure.id, made);
      this.place.append(made.node);
      made.start();
    }
    // Keep the order of the report.
    figures.forEach(({ id }, i) => {
      const { node } = this.shown.get(id);
      if (this.place.children[i] !== node) this.place.insertBefore(node, this.place.children[i]);
    });
  }

  complain(message) {
    this.clear();
    this.words.replaceChildren(element('p', { class: 'note' }, message));
  }

  clear() {
    for (const [id, figure] of this.shown) this.remove(id, figure);
    this.words.replaceChildren();
    this.drawn = null;
  }

  remove(id, figure) {
    figure.stop();
    figure.node.remove();
    this.shown.delete(id);
  }

  stop() {
    this.query = '';
    clearTimeout(this.timer);
    this.clear();
  }
}
