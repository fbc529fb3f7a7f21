// SPDX-License-Identifier: Apache-2.0
import { THEMES } from './palette.js';

const darkness = window.matchMedia('(prefers-color-scheme: dark)');
const paper = window.matchMedia('print');
let printing = false;

// Printed pages are always light.
export function currentTheme() {
  return darkness.matches && !printing ? THEMES.dark : THEMES.light;
}

// Calls `redraw` whenever the colours change: the reader switches the theme, or the page is
// printed. Some browsers send only one of the two print events. If both arrive, the page already
// has the width of the paper at the second.
export function onThemeChange(redraw) {
  darkness.addEventListener('change', redraw);
  const print = (now) => {
    printing = now;
    redraw();
  };
  window.addEventListener('beforeprint', () => print(true));
  paper.addEventListener('change', () => print(paper.matches));
  window.addEventListener('afterprint', () => print(false));
}
