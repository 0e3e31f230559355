import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flag, id, integer, listInput, listOf, searchText, text, time, version } from './fields.ts';
import { provider } from './provider.ts';
import { office } from './roles.ts';
import { usageOf } from './usage.ts';

const base = '/api/arco/promises';

/** `HH:MM` in Asia/Shanghai; empty: the carrier names none. */
const cutoff = z.string().check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d)?$/, 'invalid'));

/** A delivery time a carrier offers (requirements §3): `promise_id` is the carrier's product code, a lower `sort` stands first in the order form. */
export const promise = z.object({
  id: z.int(),
  promise_id: z.string(),
  /** Chinese; `promise_name_en` is empty where there is no English name. */
  promise_name: z.string(),
  promise_name_en: z.string(),
  provider,
  cutoff_time: z.string(),
  sort: z.int(),
  /** Enabled templates that price it. */
  voucher_count: z.int(),
  /** Parcels of the last 30 days ordered with it. */
  used_count: z.int(),
  /** From ordering to signing, on average over what was signed for in the last 30 days; null: nothing was. */
  average_hours: z.nullable(z.int()),
  status: flag,
  version: z.int(),
  created_at: time,
  updated_at: time,
});
export type DeliveryPromise = z.infer<typeof promise>;

const code = text(1, 40);
const fields = { promise_name: text(1, 30), promise_name_en: text(0, 60), cutoff_time: cutoff, sort: integer(0, 9_999) };

export const listPromises = endpoint({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Delivery times in the order of the order form, with what uses them and how long they took lately.',
  input: z.object({ ...listInput, q: z.optional(searchText), provider: z.optional(provider), status: z.optional(flag) }),
  output: listOf(promise),
});

export const getPromise = endpoint({
  method: 'GET',
  path: `${base}/{id}`,
  roles: office,
  summary: 'One delivery time.',
  input: z.object({ id }),
  output: promise,
});

export const createPromise = endpoint({
  method: 'POST',
  path: base,
  roles: office,
  summary: 'A new delivery time; its code is unique with its carrier.',
  input: z.object({
    promise_id: code,
    provider,
    promise_name: fields.promise_name,
    promise_name_en: z.optional(fields.promise_name_en),
    cutoff_time: z.optional(fields.cutoff_time),
    sort: z.optional(fields.sort),
    status: z.optional(flag),
  }),
  output: promise,
});

/** Only what changed. The code stays: templates and parcels name it. */
export const editPromise = endpoint({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: office,
  summary: 'Change a delivery time; its code and carrier stay.',
  input: z.object({
    id,
    version,
    promise_name: z.optional(fields.promise_name),
    promise_name_en: z.optional(fields.promise_name_en),
    cutoff_time: z.optional(fields.cutoff_time),
    sort: z.optional(fields.sort),
  }),
  output: promise,
});

export const setPromiseStatus = endpoint({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: office,
  summary: 'Enable or disable a delivery time; disabled, no scheme offers it.',
  input: z.object({ id, status: flag }),
  output: promise,
});

export const promiseUsage = usageOf(base, office);

/** Where a delivery time may be had: what the published templates in force serve. There are no lanes beside the templates'. */
export const promiseCoverage = endpoint({
  method: 'GET',
  path: `${base}/{id}/coverage`,
  roles: office,
  summary: 'The lanes of a delivery time, as its templates in force serve them.',
  input: z.object({ id }),
  output: z.object({
    vouchers: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        /** Codes of the sender provinces; empty: all. Of the receiver provinces, those served at least in part. */
        lanes: z.array(z.object({ from: z.array(z.string()), to: z.array(z.string()) })),
      }),
    ),
  }),
});
