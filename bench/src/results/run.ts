// npm run bench -- chart: draws bench/results/*.jsonl as .build/bench.html.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartPage } from './chart.ts';
import { readResults } from './lines.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, 'bench', 'results');
const files = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .map((name) => [
      name.replace('.jsonl', ''),
      readResults(readFileSync(join(folder, name), 'utf8')),
    ]),
);
mkdirSync(join(root, '.build'), { recursive: true });
writeFileSync(join(root, '.build', 'bench.html'), chartPage(files));
console.log('Open .build/bench.html: one drawing a figure, the runs from left to right.');
