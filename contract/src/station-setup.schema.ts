import * as z from 'zod/mini';
import { withSchemas } from './endpoint.ts';
import { flag, id, reason, signedFen, time } from './fields.schema.ts';
import { setupSteps } from './station-setup.ts';
import * as endpoints from './station-setup.ts';

export const setupStep = z.object({
  step: z.enum(setupSteps),
  /** `waiting`: done as far as its people can: a second person, the carrier or the office is next. */
  state: z.enum(['done', 'open', 'waiting']),
  /** Why it is not done, where that is known. */
  reason: z.nullable(reason),
});
export type SetupStep = z.infer<typeof setupStep>;

/** What a station has of what it needs. All of it is read when it is asked for. */
export const stationSetup = z.object({
  station_id: z.int(),
  station_name: z.string(),
  /** Null: no guide was begun. */
  started_by: z.nullable(z.string()),
  started_at: z.nullable(time),
  /** 1: the caller began it. */
  mine: flag,
  /** 1: it is listed, and its person is notified. */
  is_open: flag,
  steps: z.array(setupStep),
  /** How many of the steps are done. */
  done: z.int(),
  project_name: z.nullable(z.string()),
  /** What the sample parcel costs, the cheapest delivery time that may be ordered. */
  price: z.nullable(z.object({ promise_name: z.string(), promise_name_en: z.string(), receive_province: z.string(), weight: z.int(), post_amount: z.int() })),
  /** Accounts that may log in, and the name of the oldest. */
  accounts: z.int(),
  username: z.nullable(z.string()),
  /** 0: the station pays afterwards and needs no top-up. */
  has_amount: flag,
  /** The first top-up; else the one that waits for a second person. */
  top_up: z.nullable(z.object({ id: z.int(), amount: signedFen, requested_by: z.nullable(z.string()) })),
  /** The first parcel that the carrier accepted; else the newest that was tried. */
  parcel: z.nullable(z.object({ id: z.int(), number: z.string(), state_code: z.int() })),
});
export type StationSetup = z.infer<typeof stationSetup>;

const one = { input: z.object({ id }), output: stationSetup };

export const schemas = {
  listStationSetups: { input: z.object({}), output: z.object({ items: z.array(stationSetup) }) },
  getStationSetup: one,
  beginStationSetup: one,
  endStationSetup: one,
};

export const calls = withSchemas(endpoints, schemas);
