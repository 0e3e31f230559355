import { byFigure, limitOf } from './lines.ts';
import type { Result } from './lines.ts';

const width = 640;
const height = 140;
const left = 56;
const margin = 16;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * Draws the results of one measured value from left to right. The newest limit of the value is a
 * dashed line.
 */
const drawing = (results: readonly Result[]): string => {
  const limit = limitOf(results.at(-1)!);
  const top = Math.max(...results.map(({ value }) => value), limit ?? 0) || 1;
  const step = (width - left - margin) / Math.max(1, results.length - 1);
  const x = (index: number): number => left + index * step;
  const y = (value: number): number => height - margin - (value / top) * (height - 2 * margin);
  const points = results.map(({ value }, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`);
  const dots = results.map(({ date, value, unit, machine, commit }, index) => {
    const title = escaped(`${date}: ${value} ${unit}, ${machine}${commit ? `, ${commit}` : ''}`);
    return `<circle cx="${x(index).toFixed(1)}" cy="${y(value).toFixed(1)}" r="4"><title>${title}</title></circle>`;
  });
  const line =
    limit === null
      ? ''
      : `<line x1="${left}" x2="${width - margin}" y1="${y(limit)}" y2="${y(limit)}"/>`;
  return `<svg viewBox="0 0 ${width} ${height}" role="img">
<text x="4" y="${y(top) + 4}">${Number(top.toPrecision(4))}</text>
<text x="4" y="${y(0)}">0</text>
${line}<polyline points="${points.join(' ')}"/>${dots.join('')}</svg>`;
};

/**
 * Returns an HTML page that needs no other file. It has a chart for each measured value, and the
 * name of the chart is followed by the latest result.
 */
export const chartPage = (files: ReadonlyMap<string, readonly Result[]>): string => {
  const sections = [...files].map(([name, results]) => {
    const figures = [...byFigure(results)].map(([figure, runs]) => {
      const { date, value, limit } = runs.at(-1)!;
      const newest = `${value}${limit ? ` (limit ${limit})` : ''}, ${date}`;
      return `<h3>${escaped(figure)}: ${escaped(newest)}</h3>\n${drawing(runs)}`;
    });
    return `<h2>${escaped(name)}</h2>\n${figures.join('\n')}`;
  });
  return `<!doctype html><meta charset="utf-8"><title>Waystation: figures</title>
<style>body{font:14px system-ui;max-width:${width}px;margin:24px auto}svg{width:100%}
text{font-size:11px}polyline{fill:none;stroke:#165dff}circle{fill:#165dff}
line{stroke:#d4380d;stroke-dasharray:4}</style>
<h1>Figures by run</h1>
${sections.join('\n')}
`;
};
