// SPDX-License-Identifier: Apache-2.0
import { element } from './element.js';
import { swatchShapes } from './palette.js';

// A sample of a curve, for the legend and the table. style.css shows the one that fits the theme.
export function swatch(style) {
  const box = element('span', { class: 'swatch', 'aria-hidden': 'true' });
  box.innerHTML = ['light', 'dark']
    .map(
      (theme) =>
        `<svg class="${theme}" width="28" height="12" viewBox="0 0 28 12">${swatchShapes(style, theme)}</svg>`,
    )
    .join('');
  return box;
}
