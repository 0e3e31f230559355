import data from '@waystation/contract/divisions.json' with { type: 'json' };
import type { Divisions } from '@waystation/contract/divisions.ts';
import { readDivisions } from '@waystation/contract/divisions.ts';

/** The official divisions, read once in this process. */
export const divisions: Divisions = readDivisions(data);
