import * as z from 'zod/mini';
import { flag, integer } from '#base/fields.schema.ts';
import { mostWeight } from '#base/limits.ts';
import { sheetProblems } from '#base/sheet.schema.ts';
import {
  listHeadRows,
  mostListColumns,
  mostListSheets,
  priceListNeeds,
  priceListRoles,
} from './price-list.ts';
import { zone } from './voucher-content.schema.ts';

const grams = z.nullable(integer(1, mostWeight));
const role = z.nullable(z.enum(priceListRoles, 'invalid'));

/**
 * The choices that a person made: the title row, the meaning of each column, and the weights that
 * the list does not contain.
 */
export const priceListChoices = z.object({
  sheets: z
    .array(
      z.object({
        index: integer(0, mostListSheets),
        used: flag,
        header_at: integer(0, listHeadRows - 1),
        roles: z.array(role, 'invalid').check(z.maxLength(mostListColumns, 'too_long')),
      }),
      'invalid',
    )
    .check(z.maxLength(mostListSheets, 'too_long')),
  first_g: grams,
  step_g: grams,
  up_to_g: grams,
});
export type PriceListChoices = z.infer<typeof priceListChoices>;

const listSheet = z.object({
  index: z.int(),
  name: z.string(),
  used: flag,
  rows: z.int(),
  /** The index of the title row among the first rows; `head` contains the first rows. */
  header_at: z.int(),
  head: z.array(z.object({ line: z.int(), text: z.string() })),
  columns: z.array(
    z.object({
      title: z.string(),
      samples: z.array(z.string()),
      role,
      /** The possible meanings of the column, of which a person must choose one. */
      asked: z.array(z.enum(priceListRoles)),
      /** 1: the title contains a range of weights. */
      ranged: flag,
    }),
  ),
});
export type PriceListSheet = z.infer<typeof listSheet>;

/**
 * A price list that was read from a file in any layout; if `zones` is missing, a person has to
 * choose or correct something.
 */
export const priceList = z.object({
  sheets: z.array(listSheet),
  needs: z.array(z.enum(priceListNeeds)),
  /** The weights that the user chose: the first weight, the step, and the highest weight. */
  first_g: z.nullable(z.int()),
  step_g: z.nullable(z.int()),
  up_to_g: z.nullable(z.int()),
  /**
   * The prices per zone of provinces. `has_minimum` 0: the list contains no minimum charge for the
   * zone.
   */
  zones: z.nullable(z.array(z.object({ has_minimum: flag, zone }))),
  rows: z.int(),
  ...sheetProblems,
});
export type PriceList = z.infer<typeof priceList>;
