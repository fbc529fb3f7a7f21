// SPDX-License-Identifier: Apache-2.0
// element('p', { class: 'soft' }, 'text', child, ...). Text is never parsed as markup.
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

// A cell of a table: words and, if there are any, smaller ones. `label` is its column, which phones
// show beside it.
export function cell(label, [text, small], attributes = {}) {
  const words = element('span', {}, text);
  if (small) words.append(element('small', {}, small));
  return element('td', { 'data-label': label, ...attributes }, words);
}
