import { THEMES } from './palette.js';

const darkness = window.matchMedia('(prefers-color-scheme: dark)');
const paper = window.matchMedia('print');
let printing = false;

// Paper is always light.
export function currentTheme() {
  return darkness.matches && !printing ? THEMES.dark : THEMES.light;
}

// Calls `redraw` whenever the colours change: the reader's choice, or printing. Some browsers tell of
// printing by one event only; where both come, the page has the paper's width at the second.
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
