import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { flag, id, reason, signedFen, time } from '#base/fields.schema.ts';
import { setupSteps } from './station-setup.ts';
import * as endpoints from './station-setup.ts';

export const setupStep = z.object({
  step: z.enum(setupSteps),
  /**
   * `waiting`: the station's users have done their part; a second person, the carrier or an
   * administrator must act next.
   */
  state: z.enum(['done', 'open', 'waiting']),
  /** Why the step is not done, if the reason is known. */
  reason: z.nullable(reason),
});
export type SetupStep = z.infer<typeof setupStep>;

/** The setup steps of a station; the server calculates all of them at each call. */
export const stationSetup = z.object({
  station_id: z.int(),
  station_name: z.string(),
  /** The person who started the guide; null if no guide was started. */
  started_by: z.nullable(z.string()),
  started_at: z.nullable(time),
  /** 1: the caller started this guide. */
  mine: flag,
  /** 1: the guide is listed, and the user who started it gets notifications about it. */
  is_open: flag,
  steps: z.array(setupStep),
  /** The number of steps that are done. */
  done: z.int(),
  project_name: z.nullable(z.string()),
  /** The price of the sample parcel with the cheapest delivery time that may be ordered. */
  price: z.nullable(
    z.object({
      promise_name: z.string(),
      promise_name_en: z.string(),
      receive_province: z.string(),
      weight: z.int(),
      post_amount: z.int(),
    }),
  ),
  /** The number of accounts that may log in, and the name of the oldest account. */
  accounts: z.int(),
  username: z.nullable(z.string()),
  /** 0: the station is post-paid and needs no top-up. */
  has_amount: flag,
  /**
   * The first posted top-up; if there is none, the requested top-up that waits for a second person.
   */
  top_up: z.nullable(
    z.object({ id: z.int(), amount: signedFen, requested_by: z.nullable(z.string()) }),
  ),
  /**
   * The first parcel that the carrier accepted; if there is none, the parcel of the newest attempt.
   */
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
