// SPDX-License-Identifier: Apache-2.0
// Where the report comes from: version, dates, command, and the settings that all runs share.
import { element } from './element.js';

export function footer({ origin, command }) {
  const { versions, first, last, settings } = origin;
  const days =
    first === null
      ? ''
      : `, started ${first === last ? `on ${first}` : `from ${first} to ${last}`}`;
  const node = element(
    'footer',
    {},
    element('p', {}, `Runs of gradus ${versions.join(', ')}${days}.`),
  );
  if (command) node.append(element('p', {}, 'This page: ', element('code', {}, command)));
  const rows = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  if (rows.length > 0) {
    const details = element(
      'details',
      {},
      element('summary', {}, 'Settings that all runs share'),
      element('pre', {}, rows.join('\n')),
    );
    window.addEventListener('beforeprint', () => (details.open = true));
    node.append(details);
  }
  return node;
}
