import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adaptersFolder } from '#conformance/subjects.ts';
import type { Shapes } from './probe.ts';

/** The path of the file with the recorded answer shapes of an adapter. */
export const shapesFile = (name: string): string =>
  join(adaptersFolder, name, 'golden', 'shapes.json');

export const readShapes = (name: string): Shapes =>
  JSON.parse(readFileSync(shapesFile(name), 'utf8')) as Shapes;
