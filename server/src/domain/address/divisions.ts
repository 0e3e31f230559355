import data from '@waystation/contract/parcels/divisions.json' with { type: 'json' };
import type { Divisions } from '@waystation/contract/parcels/divisions.ts';
import { readDivisions } from '@waystation/contract/parcels/divisions.ts';
import formerData from '@waystation/contract/parcels/former-divisions.json' with { type: 'json' };
import type { FormerDivisions } from '@waystation/contract/parcels/former-divisions.ts';
import { readFormer } from '@waystation/contract/parcels/former-divisions.ts';

/** The official divisions, read once in this process. */
export const divisions: Divisions = readDivisions(data);

/** The former names of divisions. */
export const formerDivisions: FormerDivisions = readFormer(divisions, formerData);
