// SPDX-License-Identifier: Apache-2.0
// A panel of coloured cells:
//   { title, xs, ys, xLabel, yLabel, xIsTime?, values[y][x], describe(x, y, value) }
// All panels of a figure share the scale { low, high }.
import { axis, frame, tooltip } from './charts.js';
import { VIRIDIS } from './palette.js';

const NARROW = 480;

export function heatOption(panel, { theme, scale, width }) {
  const data = [];
  panel.values.forEach((row, y) =>
    row.forEach((value, x) => {
      if (value !== null) data.push([x, y, value]);
    }),
  );
  const left = panel.wideLabels ? 152 : 44;
  const yName = panel.wideLabels ? '' : panel.yLabel;
  return {
    ...frame(panel.title, theme),
    grid: { left, right: 14, top: 32, bottom: 44 },
    xAxis: category(panel.xs, panel.xLabel, theme, panel.xIsTime ? timeLabels(panel, width) : {}),
    yAxis: {
      ...category(panel.ys, yName, theme, { width: left - 12 }),
      inverse: Boolean(panel.wideLabels),
    },
    visualMap: {
      show: false,
      min: scale.low,
      max: scale.high,
      inRange: { color: VIRIDIS },
      outOfRange: { color: VIRIDIS.at(-1) }, // values above the scale
    },
    tooltip: {
      ...tooltip(theme),
      trigger: 'item',
      formatter: ({ value: [x, y, value] }) => panel.describe(x, y, value),
    },
    series: [
      {
        type: 'heatmap',
        data,
        emphasis: { itemStyle: { borderColor: theme.ink, borderWidth: 1.5 } },
      },
    ],
  };
}

function category(labels, name, theme, { width, interval = 'auto' }) {
  const style = axis(name, 26, theme);
  return {
    type: 'category',
    data: labels,
    ...style,
    axisLabel: { ...style.axisLabel, width, overflow: 'truncate', interval },
    axisTick: { ...style.axisTick, interval },
    splitLine: { show: false },
    splitArea: { show: false },
  };
}

// A time axis has many parts. Label only fifths of it, or halves if it is narrow: their steps are
// round numbers.
function timeLabels(panel, width) {
  const parts = width < NARROW ? 2 : 5;
  return { interval: (i) => i % Math.ceil((panel.xs.length - 1) / parts) === 0 };
}
