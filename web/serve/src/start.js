// SPDX-License-Identifier: Apache-2.0
// The form that starts a run or a sweep from a config.
import { element } from '../../report/src/element.js';
import { get, post } from './api.js';

export class Start {
  constructor() {
    this.configs = {};
    this.from = element('select', { id: 'from' });
    this.from.addEventListener('change', () => this.fillIn());
    this.config = element('textarea', { id: 'config', rows: '14', spellcheck: 'false' });
    this.settings = element('input', {
      id: 'overrides',
      placeholder: 'gain=pg seed=2',
      autocomplete: 'off',
    });
    this.name = element('input', { id: 'folder', required: '', autocomplete: 'off' });
    this.problem = element('p', { class: 'note', role: 'alert', hidden: '' });
    this.go = element('button', { type: 'submit', class: 'main' }, 'Start');
    const cancel = element('button', { type: 'button' }, 'Cancel');
    cancel.addEventListener('click', () => this.node.close());
    const form = element(
      'form',
      { method: 'dialog' },
      element('h2', {}, 'Start a run or a sweep'),
      labelled('Begin with', this.from),
      labelled('Config (TOML); a table [sweep] makes it a sweep', this.config),
      labelled('More settings, key=value', this.settings),
      labelled('Name of the new folder', this.name),
      this.problem,
      element('div', { class: 'controls' }, this.go, cancel),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.start();
    });
    this.node = element('dialog', { id: 'start' }, form);
  }

  // `run` is a run to copy, or nothing.
  async open(run) {
    this.complain('');
    this.node.showModal();
    try {
      this.configs = await get(`/api/configs${run ? `?n=${run.n}` : ''}`);
    } catch (error) {
      this.complain(error.message);
    }
    const names = Object.keys(this.configs);
    this.from.replaceChildren(
      ...['an empty config', ...names].map((name) => element('option', {}, name)),
    );
    this.from.selectedIndex = names.length > 0 ? 1 : 0;
    this.settings.value = '';
    this.fillIn();
  }

  fillIn() {
    this.config.value = this.configs[this.from.value] ?? '';
    const name = this.from.selectedIndex > 0 ? this.from.value.split('/').at(-1) : 'run';
    this.name.value = `${name}-${new Date().toISOString().slice(0, 16).replace(/[-:]/g, '').replace('T', '-')}`;
  }

  async start() {
    this.complain('');
    this.go.disabled = true;
    try {
      const settings = this.settings.value.trim();
      await post('/api/start', {
        config: this.config.value,
        settings: settings ? settings.split(/\s+/) : [],
        name: this.name.value.trim(),
      });
      this.node.close();
    } catch (error) {
      this.complain(error.message);
    }
    this.go.disabled = false;
  }

  complain(message) {
    this.problem.hidden = message === '';
    this.problem.textContent = message;
  }
}

const labelled = (words, control) => element('label', {}, element('span', {}, words), control);
