// SPDX-License-Identifier: Apache-2.0
// Imports only the parts of ECharts that the page uses, to keep the bundle small.
import { CustomChart, HeatmapChart, LineChart } from 'echarts/charts';
import {
  GridComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([
  CustomChart,
  HeatmapChart,
  LineChart,
  GridComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
  SVGRenderer,
]);

// No quotes: ECharts would write them unescaped into the SVG.
export const FONT = 'system-ui, -apple-system, Roboto, sans-serif';

export function chartIn(node) {
  return init(node, null, { renderer: 'svg' });
}

// Renders a chart to SVG text without showing it.
export function chartText(option, width, height) {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption(option);
  const text = chart.renderToSVGString();
  chart.dispose();
  return text;
}

// Options common to all charts.
export function frame(title, theme) {
  return {
    animation: false,
    textStyle: { fontFamily: FONT, color: theme.ink },
    title: {
      text: title,
      left: 4,
      top: 2,
      textStyle: { fontSize: 14, fontWeight: 600, color: theme.ink, fontFamily: FONT },
    },
  };
}

export function axis(name, gap, theme) {
  return {
    name,
    nameGap: gap,
    nameLocation: 'middle',
    nameTextStyle: { color: theme.soft, fontSize: 12 },
    axisLabel: { color: theme.soft, fontSize: 11, hideOverlap: true },
    axisLine: { show: true, lineStyle: { color: theme.soft } },
    axisTick: { show: true, lineStyle: { color: theme.soft } },
    splitLine: { lineStyle: { color: theme.line } },
  };
}

export function tooltip(theme) {
  return {
    confine: true,
    backgroundColor: theme.paper,
    borderColor: theme.soft,
    padding: [6, 9],
    textStyle: { color: theme.ink, fontSize: 12, fontFamily: FONT },
  };
}
