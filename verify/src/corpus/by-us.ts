import { bytesOfSheet } from '@waystation/server/testing/written-sheets.ts';
import { handTexts } from './hand-texts.ts';
import { handWorkbooks } from './hand-workbooks-table.ts';
import { parcels, plain, titles } from './parcels.ts';
import type { Case, Maker } from './parcels.ts';
import { clerks } from './clerks.ts';
import { shops } from './shops-table.ts';

const hand = [...handWorkbooks, ...handTexts, ...shops, ...clerks];

/**
 * Files in the formats of programs that cannot run here. The code of this repository writes them.
 */
export const byHand: Maker = {
  name: 'hand',
  cases: hand,
  program: () => 'made by hand',
  make: (file) => hand.find((one) => one.file === file)!.make(),
};

const own: readonly Case[] = [
  { file: 'waystation-own.xlsx', what: 'as this product writes a workbook', expected: plain() },
  { file: 'waystation-own.csv', what: 'as this product writes CSV', expected: plain() },
];

export const ourselves: Maker = {
  name: 'waystation',
  cases: own,
  program: () => 'Waystation',
  make: (file) => bytesOfSheet(file.endsWith('.csv') ? 'csv' : 'xlsx', titles, parcels),
};
