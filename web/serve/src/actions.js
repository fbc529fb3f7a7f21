// SPDX-License-Identifier: Apache-2.0
// Buttons that stop and resume runs and sweeps. They need the token, so they are shown only with it.
import { element } from '../../report/src/element.js';
import { post, token } from './api.js';

const CAN_RESUME = ['stopped', 'failed'];

// What can be done with a run: { words, question?, path, body }. Nothing with one that another
// program records.
function ofRun({ n, name, status, recorded }) {
  if (recorded) return [];
  if (status === 'running') {
    const question = `Stop ${name}? It is saved and can be resumed. A sweep stops as a whole.`;
    return [{ words: 'Stop', question, path: '/api/stop', body: { runs: [n] } }];
  }
  if (!CAN_RESUME.includes(status)) return [];
  return [{ words: 'Resume', path: '/api/resume', body: { run: n } }];
}

// The same for a folder of runs, if it is a sweep.
function ofGroup(folder, rows) {
  if (!rows.some(({ sweep }) => sweep)) return [];
  const running = rows.filter(({ status }) => status === 'running').map(({ n }) => n);
  if (running.length > 0) {
    const question = `Stop the sweep ${folder}? Its runs are saved and can be resumed.`;
    return [{ words: 'Stop the sweep', question, path: '/api/stop', body: { runs: running } }];
  }
  if (rows.every(({ status }) => status === 'finished')) return [];
  return [{ words: 'Resume the sweep', path: '/api/resume', body: { sweep: rows[0].n } }];
}

// Puts buttons into `node`. They stay as they are if nothing has changed: a button that is replaced
// under the reader's finger loses the click.
function fill(node, list) {
  const key = JSON.stringify(list);
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  node.replaceChildren(...list.map(button));
}

function button({ words, question, path, body }) {
  const node = element('button', { type: 'button', class: 'action' }, words);
  node.addEventListener('click', async () => {
    if (question && !confirm(question)) return;
    node.disabled = true;
    try {
      await post(path, body);
    } catch (error) {
      alert(error.message);
      node.disabled = false;
    }
  });
  return node;
}

export const showRunActions = (node, row) => fill(node, token() ? ofRun(row) : []);
export const showGroupActions = (node, folder, rows) =>
  fill(node, token() && folder !== '' ? ofGroup(folder, rows) : []);
