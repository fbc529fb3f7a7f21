// SPDX-License-Identifier: Apache-2.0
// The names of curves, in the margin to the right of a panel. A thin line leads from the end of a
// curve to its name, because names of curves that end close together are moved apart.
import { FONT } from './charts.js';

const SIZE = 11; // of the letters
const LINE = 14; // from one name to the next
const LEAD = 14; // of the line from the curve to the name
const KEY = 7; // its thick end, which shows the colour
const GAP = 4;
const LARGEST_SHARE = 0.3; // of the panel's width

const pen = document.createElement('canvas').getContext('2d');
pen.font = `${SIZE}px ${FONT}`;

// Width of a margin for the names of `count` of these curves; 0 if they do not fit. It is the same
// whichever are shown, so that panels below each other have the same axis.
export function endMargin(curves, count, { width, height }) {
  const longest = Math.max(...curves.map(({ name }) => pen.measureText(name).width));
  const margin = Math.ceil(LEAD + KEY + GAP + longest + 6);
  return margin <= LARGEST_SHARE * width && count * LINE <= height ? margin : 0;
}

// Positions that are at least `gap` apart, within [low, high] and in the order of `wanted`, which
// ascends. The sum of their squared distances to `wanted` is minimal: if i * gap is subtracted from
// each, this is isotonic regression, which pools adjacent violators.
function movedApart(wanted, gap, low, high) {
  const blocks = [];
  wanted.forEach((position, i) => {
    let block = { sum: position - i * gap, count: 1 };
    while (blocks.length > 0 && mean(blocks.at(-1)) > mean(block)) {
      const before = blocks.pop();
      block = { sum: before.sum + block.sum, count: before.count + block.count };
    }
    blocks.push(block);
  });
  const last = high - (wanted.length - 1) * gap;
  return blocks
    .flatMap((block) => Array(block.count).fill(Math.min(last, Math.max(low, mean(block)))))
    .map((position, i) => position + i * gap);
}

const mean = ({ sum, count }) => sum / count;

// A series that draws the names. Its one item has the place of the first curve's end, so it does
// not change the range of an axis. ECharts draws it again whenever the layout changes.
export function endLabels(panel, visible, theme) {
  const ends = visible.map((curve) => {
    const last = curve.middle.findLastIndex((value) => value !== null);
    return { ...curve, end: [panel.steps[last], curve.middle[last]] };
  });
  return {
    type: 'custom',
    silent: true,
    z: 4,
    tooltip: { show: false },
    data: ends.slice(0, 1).map(({ end }) => end),
    renderItem: ({ coordSys: plot }, api) => {
      const labels = ends
        .map((curve) => ({ ...curve, from: api.coord(curve.end) }))
        .sort((a, b) => a.from[1] - b.from[1]);
      const wanted = labels.map(({ from }) => from[1]);
      const to = movedApart(wanted, LINE, plot.y, plot.y + plot.height);
      const children = labels.flatMap((label, i) =>
        oneLabel(label, plot.x + plot.width, to[i], theme),
      );
      return { type: 'group', children };
    },
  };
}

// The name at the height `y`. The line to it is dotted in the plot, so that it does not look like
// more of a curve that ends early.
function oneLabel({ name, style, from }, edge, y, theme) {
  const line = (points, lineWidth, lineDash) => ({
    type: 'polyline',
    shape: { points },
    style: { fill: 'none', stroke: style[theme.name], lineWidth, lineDash },
  });
  const at = [edge, from[1]];
  const key = [edge + LEAD, y];
  const end = [key[0] + KEY, y];
  return [
    ...(from[0] < edge - 1 ? [line([from, at], 1, [1, 3])] : []),
    line([at, key], 1, 'solid'),
    line([key, end], 2.5, 'solid'),
    {
      type: 'text',
      x: end[0] + GAP,
      y,
      style: { text: name, fill: theme.ink, font: `${SIZE}px ${FONT}`, verticalAlign: 'middle' },
    },
  ];
}
