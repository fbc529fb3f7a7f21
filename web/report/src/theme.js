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
// has the width of the paper at the second. Returns a function that stops the calls.
export function onThemeChange(redraw) {
  const print = (now) => {
    printing = now;
    redraw();
  };
  const listeners = [
    [darkness, 'change', redraw],
    [window, 'beforeprint', () => print(true)],
    [paper, 'change', () => print(paper.matches)],
    [window, 'afterprint', () => print(false)],
  ];
  for (const [target, name, act] of listeners) target.addEventListener(name, act);
  return () => {
    for (const [target, name, act] of listeners) target.removeEventListener(name, act);
  };
}
