// SPDX-License-Identifier: Apache-2.0
// One colour per signal of the paper, the same in every report. Readers with any common colour
// blindness can tell the colours apart (tests/web/palette_test.mjs checks this). Each signal also
// has a marker, so that colour is never the only cue.
export const SIGNALS = {
  uniform: { light: '#1d2126', dark: '#f0f2f4', marker: null },
  target: { light: '#6b7159', dark: '#8d93a5', marker: null },
  pg: { light: '#0072b2', dark: '#4aa8e8', marker: 'circle' },
  gpg: { light: '#a8baff', dark: '#b0d6ff', marker: 'square' },
  spg: { light: '#50cf6a', dark: '#6efc89', marker: 'up' },
  tpg: { light: '#e1be00', dark: '#ffb800', marker: 'diamond' },
  mpg: { light: '#563b00', dark: '#7b6b31', marker: 'down' },
  vcg: { light: '#4a0fbd', dark: '#555dda', marker: 'plus' },
  gvcg: { light: '#d55e00', dark: '#ff8540', marker: 'star' },
  l2g: { light: '#ff89ad', dark: '#ceb9a0', marker: 'cross' },
  gl2g: { light: '#7c006d', dark: '#d6006c', marker: 'bar' },
};
const DASHES = ['solid', 'dashed', 'dotted', [8, 3, 2, 3]];

// SVG paths in a square of 12 by 12.
const MARKERS = {
  circle: 'M6 1A5 5 0 1 1 6 11A5 5 0 1 1 6 1Z',
  square: 'M1.5 1.5H10.5V10.5H1.5Z',
  up: 'M6 0.5L11.5 11H0.5Z',
  down: 'M0.5 1H11.5L6 11.5Z',
  diamond: 'M6 0L11.5 6L6 12L0.5 6Z',
  plus: 'M4.5 0H7.5V4.5H12V7.5H7.5V12H4.5V7.5H0V4.5H4.5Z',
  cross: 'M2 0L6 4L10 0L12 2L8 6L12 10L10 12L6 8L2 12L0 10L4 6L0 2Z',
  star: 'M6 0L7.6 4.1L12 4.4L8.6 7.2L9.7 11.5L6 9.1L2.3 11.5L3.4 7.2L0 4.4L4.4 4.1Z',
  bar: 'M4 0H8V12H4Z',
};

// Viridis (van der Walt and Smith): perceptually uniform, in greyscale too.
export const VIRIDIS = [
  '#440154',
  '#482475',
  '#414487',
  '#355f8d',
  '#2a788e',
  '#21918c',
  '#22a884',
  '#44bf70',
  '#7ad151',
  '#bddf26',
  '#fde725',
];

export const THEMES = {
  light: { name: 'light', ink: '#1d2126', soft: '#5b636d', line: '#e3e6ea', paper: '#ffffff' },
  dark: { name: 'dark', ink: '#e8eaed', soft: '#a5adb7', line: '#343a42', paper: '#1b1f24' },
};

// One style per group: colour and marker of its signal, dashes by variant. If there are more
// variants than dash patterns, groups take the colours in turn instead.
export function groupStyles(groups) {
  const variants = [...new Set(groups.map(({ variant }) => variant))];
  const looks = looksOf([...new Set(groups.map(({ gain }) => gain))]);
  const turns = 1 + Math.max(...Object.values(looks).map(({ turn }) => turn));
  const many = turns * variants.length > DASHES.length;
  const signals = Object.values(SIGNALS);
  return groups.map(({ gain, variant }, i) => {
    if (many) {
      const dash = DASHES[Math.floor(i / signals.length) % DASHES.length];
      return { ...signals[i % signals.length], dash };
    }
    const { signal, turn } = looks[gain];
    return { ...SIGNALS[signal], dash: DASHES[turn * variants.length + variants.indexOf(variant)] };
  });
}

// Whose colour and marker each gain has. Gains without their own take those that no other has, and
// then take turns: the same colours with other dashes.
function looksOf(gains) {
  const learning = Object.keys(SIGNALS).filter((name) => SIGNALS[name].marker);
  const free = learning.filter((name) => !gains.includes(name));
  const looks = {};
  let others = 0;
  for (const gain of gains) {
    const again = others - free.length;
    if (SIGNALS[gain]) looks[gain] = { signal: gain, turn: 0 };
    else if (again < 0) looks[gain] = { signal: free[others++], turn: 0 };
    else {
      const turn = 1 + Math.floor(again / learning.length);
      looks[gain] = { signal: learning[again % learning.length], turn };
      ++others;
    }
  }
  return looks;
}

// Colours for `count` tasks from easy to hard: viridis without the end that would not show on a
// white or a black page. Neighbours also differ in dashes.
export function orderedStyles(count) {
  return Array.from({ length: count }, (_, i) => {
    const at = (reach) => mix(reach[0] + ((reach[1] - reach[0]) * i) / Math.max(1, count - 1));
    return { light: at([0, 0.9]), dark: at([0.25, 1]), marker: null, dash: DASHES[i % 3] };
  });
}

function mix(position) {
  const scaled = position * (VIRIDIS.length - 1);
  const i = Math.min(Math.floor(scaled), VIRIDIS.length - 2);
  const channel = (colour, k) => parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16);
  const blended = [0, 1, 2].map((k) => {
    const low = channel(VIRIDIS[i], k);
    return Math.round(low + (scaled - i) * (channel(VIRIDIS[i + 1], k) - low));
  });
  return `rgb(${blended.join(',')})`;
}

export const symbolOf = (style) => (style.marker ? `path://${MARKERS[style.marker]}` : 'none');

// Line and marker of a style as SVG elements in a box of 28 by 12.
export function swatchShapes(style, theme) {
  const colour = style[theme];
  const pattern = { solid: '', dashed: '6 3', dotted: '2 2' }[style.dash] ?? style.dash.join(' ');
  const dashes = pattern && ` stroke-dasharray="${pattern}"`;
  const line = `<path d="M0 6H28" stroke="${colour}" stroke-width="2.5"${dashes} fill="none"/>`;
  if (!style.marker) return line;
  return `${line}<path transform="translate(9 1) scale(.83)" d="${MARKERS[style.marker]}" fill="${colour}"/>`;
}
