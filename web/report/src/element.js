// SPDX-License-Identifier: Apache-2.0
// element('p', { class: 'soft' }, 'text', child, ...). Text is never parsed as markup.
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
