// SPDX-License-Identifier: Apache-2.0
// The table of runs, one body per folder. Rows are made once and changed in place, so that a
// thousand of them stay smooth.
import { element } from '../../report/src/element.js';
import { plural } from '../../report/src/format.js';
import { showGroupActions } from './actions.js';
import { groupOf, inOrder, shortName } from './runs.js';
import { duration, heldOut, loss, progress, rate, share } from './words.js';

const COLUMNS = [
  ...['Run', 'Status', 'Progress'],
  ...['Rate', 'Left', 'Training loss', 'Held-out loss', 'Host'],
];
const MANY = 60; // a folder with more runs starts closed if there are others

export class List {
  constructor(runs, onSelect) {
    this.runs = runs;
    this.onSelect = onSelect;
    this.groups = new Map();
    this.lines = new Map();
    this.wanted = { text: '', status: '' };
    this.table = element(
      'table',
      { id: 'runs' },
      element(
        'thead',
        {},
        element('tr', {}, ...['', ...COLUMNS].map((name) => element('th', { scope: 'col' }, name))),
      ),
    );
    this.node = element('div', { class: 'scroll' }, this.table);
  }

  // Shows the rows that have changed, and drops those that are gone.
  update(changed) {
    for (const [name, line] of this.lines) {
      if (this.runs.byName.has(name)) continue;
      line.node.remove();
      this.lines.delete(name);
      line.group.names.delete(name);
      line.group.order.splice(line.group.order.indexOf(name), 1);
    }
    for (const row of changed.sort((a, b) => inOrder(a.name, b.name))) this.lineOf(row).fill(row);
    for (const [folder, group] of this.groups) {
      if (group.names.size === 0) {
        group.body.remove();
        this.groups.delete(folder);
      } else {
        this.fillGroup(group);
      }
    }
    this.applyFilter();
  }

  filter(wanted) {
    Object.assign(this.wanted, wanted);
    this.applyFilter();
  }

  applyFilter() {
    const text = this.wanted.text.toLowerCase();
    for (const group of this.groups.values()) {
      let shown = 0;
      for (const name of group.names) {
        const row = this.runs.byName.get(name);
        const fits =
          (!text || name.toLowerCase().includes(text)) &&
          (!this.wanted.status || row.status === this.wanted.status);
        if (fits) ++shown;
        this.lines.get(name).node.hidden = !fits || (group.closed && !text);
      }
      group.body.hidden = shown === 0;
    }
  }

  showSelection() {
    for (const [name, line] of this.lines) line.box.checked = this.runs.selected.has(name);
    for (const group of this.groups.values()) this.fillGroup(group);
  }

  groupFor(folder) {
    const known = this.groups.get(folder);
    if (known) return known;
    const box = element('input', {
      type: 'checkbox',
      'aria-label': `compare all of ${folder || 'these'}`,
    });
    const fold = element('button', { type: 'button', class: 'fold' });
    const words = element('span', { class: 'soft' });
    const act = element('span', { class: 'actions' });
    const head = element(
      'tr',
      { class: 'group' },
      element('td', { class: 'pick' }, box),
      element('th', { scope: 'colgroup', colspan: String(COLUMNS.length) }, fold, words, act),
    );
    const group = { folder, box, fold, words, act, names: new Set(), order: [], closed: null };
    group.body = element('tbody', {}, head);
    box.addEventListener('change', () => {
      this.runs.select(group.names, box.checked);
      this.showSelection();
      this.onSelect();
    });
    fold.addEventListener('click', () => {
      group.closed = !group.closed;
      this.fillGroup(group);
      this.applyFilter();
    });
    const next = [...this.groups.keys()]
      .filter((other) => inOrder(other, folder) > 0)
      .sort(inOrder)[0];
    this.table.insertBefore(group.body, next === undefined ? null : this.groups.get(next).body);
    this.groups.set(folder, group);
    return group;
  }

  fillGroup(group) {
    const rows = [...group.names].map((name) => this.runs.byName.get(name));
    if (group.closed === null) group.closed = rows.length > MANY && this.groups.size > 1;
    const done = rows.filter(({ status }) => status === 'finished').length;
    const running = rows.filter(({ status }) => status === 'running').length;
    const left = Math.max(-1, ...rows.map((row) => row.left ?? -1));
    group.fold.textContent = `${group.closed ? '▸' : '▾'} ${group.folder || 'Single runs'}`;
    group.fold.setAttribute('aria-expanded', String(!group.closed));
    group.words.textContent =
      ` ${plural(rows.length, 'run')}, ${done} finished` +
      (running > 0 ? `, ${running} running${left >= 0 ? `, ${duration(left)} left` : ''}` : '');
    showGroupActions(group.act, group.folder, rows);
    const chosen = rows.filter(({ name }) => this.runs.selected.has(name)).length;
    group.box.checked = chosen === rows.length;
    group.box.indeterminate = chosen > 0 && chosen < rows.length;
  }

  lineOf(row) {
    const known = this.lines.get(row.name);
    if (known) return known;
    const group = this.groupFor(groupOf(row.name));
    const line = new Line(row.name, group, (on) => {
      this.runs.select([row.name], on);
      this.fillGroup(group);
      this.onSelect();
    });
    line.box.checked = this.runs.selected.has(row.name);
    const at = placeIn(group.order, row.name);
    const next = this.lines.get(group.order[at])?.node ?? null;
    group.body.insertBefore(line.node, next);
    group.order.splice(at, 0, row.name);
    group.names.add(row.name);
    this.lines.set(row.name, line);
    return line;
  }
}

// Where a name belongs in a sorted list.
function placeIn(order, name) {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inOrder(order[middle], name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

class Line {
  constructor(name, group, onPick) {
    this.group = group;
    this.box = element('input', { type: 'checkbox', 'aria-label': `compare ${name}` });
    this.box.addEventListener('change', () => onPick(this.box.checked));
    const link = element('a', { href: `#run=${encodeURIComponent(name)}` }, shortName(name));
    this.status = element('span', { class: 'status' });
    this.bar = element('i', {});
    this.progress = element('span', {});
    this.reason = element('span', { class: 'reason' });
    this.cells = COLUMNS.slice(3).map((label) =>
      element('td', { 'data-label': label, class: 'number' }),
    );
    this.node = element(
      'tr',
      { 'data-run': name },
      element('td', { class: 'pick' }, this.box),
      element('th', { scope: 'row' }, link),
      element('td', { 'data-label': 'Status' }, this.status),
      element(
        'td',
        { 'data-label': 'Progress' },
        element(
          'span',
          { class: 'progress' },
          element('span', { class: 'track' }, this.bar),
          this.progress,
        ),
        this.reason,
      ),
      ...this.cells,
    );
  }

  fill(row) {
    this.status.textContent = row.status;
    this.status.className = `status ${row.status}`;
    this.bar.style.width = `${100 * share(row)}%`;
    this.progress.textContent = row.problem ? '' : progress(row);
    this.reason.textContent = row.problem ?? row.reason ?? '';
    const { value, of } = heldOut(row);
    const texts = [rate(row), duration(row.left), loss(row.training), loss(value), row.host || '–'];
    texts.forEach((text, i) => {
      if (this.cells[i].textContent !== text) this.cells[i].textContent = text;
      this.cells[i].classList.toggle('none', text === '–');
    });
    this.cells[2].title = row.unit ?? '';
    this.cells[3].title = `${of}, ${row.unit ?? ''}`;
  }
}
