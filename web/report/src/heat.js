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
  // A time axis has many parts. Label only fifths of it, or halves if it is narrow: their steps are
  // round numbers.
  const parts = width < NARROW ? 2 : 5;
  const round = (i) => i % Math.ceil((panel.xs.length - 1) / parts) === 0;
  const category = (labels, name, { width, interval = 'auto' }) => {
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
  };
  const left = panel.wideLabels ? 152 : 44;
  return {
    ...frame(panel.title, theme),
    grid: { left, right: 14, top: 32, bottom: 44 },
    xAxis: category(panel.xs, panel.xLabel, panel.xIsTime ? { interval: round } : {}),
    yAxis: {
      ...category(panel.ys, panel.wideLabels ? '' : panel.yLabel, { width: left - 12 }),
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
