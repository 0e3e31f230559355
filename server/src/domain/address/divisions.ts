import data from '@waystation/contract/divisions.json' with { type: 'json' };
import type { Divisions } from '@waystation/contract/divisions.ts';
import { readDivisions } from '@waystation/contract/divisions.ts';
import formerData from '@waystation/contract/former-divisions.json' with { type: 'json' };
import type { FormerDivisions } from '@waystation/contract/former-divisions.ts';
import { readFormer } from '@waystation/contract/former-divisions.ts';

/** The official divisions, read once in this process. */
export const divisions: Divisions = readDivisions(data);

/** What they were called before. */
export const formerDivisions: FormerDivisions = readFormer(divisions, formerData);
