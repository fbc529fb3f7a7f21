// SPDX-License-Identifier: Apache-2.0
// The colours of any two signals differ clearly for every reader: with full colour vision, and
// without red, green or blue cones (the matrices of Machado, Oliveira and Fernandes 2009, for
// linear RGB and full severity). Differences are CIE76 in Lab, in which 2.3 is just noticeable;
// thin curves need much more.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { groupStyles, SIGNALS } from '../../web/report/src/palette.js';

const LEAST = 20;
const VISION = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const XYZ = [
  [0.4124, 0.3576, 0.1805],
  [0.2126, 0.7152, 0.0722],
  [0.0193, 0.1192, 0.9505],
];
const WHITE = [0.95047, 1, 1.08883];

const times = (matrix, vector) =>
  matrix.map((row) => row.reduce((sum, value, i) => sum + value * vector[i], 0));

function linear(hex) {
  return [1, 3, 5].map((i) => {
    const value = parseInt(hex.slice(i, i + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

function lab(rgb) {
  const [x, y, z] = times(
    XYZ,
    rgb.map((value) => Math.min(1, Math.max(0, value))),
  ).map((value, i) => {
    const share = value / WHITE[i];
    return share > 0.008856 ? Math.cbrt(share) : 7.787 * share + 16 / 116;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

test('Lab of white, and of red as tables have it', () => {
  assert.ok(Math.hypot(...lab(linear('#ffffff')).map((value, i) => value - [100, 0, 0][i])) < 0.1);
  assert.ok(
    Math.hypot(...lab(linear('#ff0000')).map((value, i) => value - [53.24, 80.09, 67.2][i])) < 0.1,
  );
});

for (const theme of ['light', 'dark']) {
  for (const [vision, matrix] of Object.entries(VISION)) {
    test(`no two signals look alike on a ${theme} page with ${vision} vision`, () => {
      const seen = Object.entries(SIGNALS).map(([name, style]) => [
        name,
        lab(times(matrix, linear(style[theme]))),
      ]);
      for (const [i, [name, colour]] of seen.entries()) {
        for (const [other, another] of seen.slice(i + 1)) {
          const difference = Math.hypot(...colour.map((value, k) => value - another[k]));
          assert.ok(difference >= LEAST, `${name} and ${other}: ${difference.toFixed(1)}`);
        }
      }
    });
  }
}

test('every learning signal has a marker of its own', () => {
  const markers = Object.values(SIGNALS)
    .map((style) => style.marker)
    .filter(Boolean);
  assert.equal(markers.length, 9);
  assert.equal(new Set(markers).size, 9);
});

test('no two groups look the same, whatever their signals', () => {
  const paper = Object.keys(SIGNALS);
  const others = ['lsg', 'alsg', 'hsg', 'hpg', 'gspg', 'gtpg', 'gmpg', 'xl', 'lrn', 'hsg:pg'];
  for (const [gains, variants] of [
    [['uniform', 'pg', 'hsg'], ['']],
    [others, ['ml', 'vi']],
    [
      ['uniform', 'pg', ...others],
      ['ml', 'vi'],
    ],
    [[...paper, ...others], ['']],
    [paper, ['ml', 'vi', 'l2', 'eta=0.1']],
  ]) {
    const groups = gains.flatMap((gain) => variants.map((variant) => ({ gain, variant })));
    const styles = groupStyles(groups);
    assert.equal(new Set(styles.map((style) => JSON.stringify(style))).size, groups.length);
    for (const [i, { gain }] of groups.entries()) {
      if (SIGNALS[gain]) assert.equal(styles[i].light, SIGNALS[gain].light, gain);
    }
  }
});

test("signals that are not the paper's take colours that are free", () => {
  const [, pg, hsg, gvcg] = groupStyles(
    ['uniform', 'pg', 'hsg', 'gvcg'].map((gain) => ({ gain, variant: '' })),
  );
  assert.equal(new Set([pg.light, hsg.light, gvcg.light]).size, 3);
  assert.deepEqual([pg.dash, hsg.dash, gvcg.dash], Array(3).fill('solid'));
});
