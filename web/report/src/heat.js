// SPDX-License-Identifier: Apache-2.0
// A panel of coloured cells: { title, xs, ys, xLabel, yLabel, values[y][x], describe(x, y, value) }.
// All panels of a figure share the scale { low, high }.
import { axis, frame, tooltip } from './charts.js';
import { VIRIDIS } from './palette.js';

export function heatOption(panel, { theme, scale }) {
  const data = [];
  panel.values.forEach((row, y) =>
    row.forEach((value, x) => {
      if (value !== null) data.push([x, y, value]);
    }),
  );
  const category = (labels, name, gap, width) => ({
    type: 'category',
    data: labels,
    ...axis(name, gap, theme),
    axisLabel: { ...axis('', 0, theme).axisLabel, width, overflow: 'truncate' },
    splitLine: { show: false },
    splitArea: { show: false },
  });
  const left = panel.wideLabels ? 152 : 44;
  return {
    ...frame(panel.title, theme),
    grid: { left, right: 14, top: 32, bottom: 44 },
    xAxis: category(panel.xs, panel.xLabel, 26),
    yAxis: {
      ...category(panel.ys, panel.wideLabels ? '' : panel.yLabel, 26, left - 12),
      inverse: Boolean(panel.wideLabels),
    },
    visualMap: { show: false, min: scale.low, max: scale.high, inRange: { color: VIRIDIS } },
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
