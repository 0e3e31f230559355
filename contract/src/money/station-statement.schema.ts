import * as z from 'zod/mini';
import { statementTypes } from './statement.ts';
import type { StatementType } from './statement.ts';
import { flag, id, signedFen, text, time } from '#base/fields.schema.ts';
import { period } from './reconciliation.schema.ts';
import { typedHead } from './chain-head.ts';
import { withSchemas } from '#base/endpoint.ts';
import { noteLength } from '#base/limits.ts';
import * as endpoints from './station-statement.ts';

const type = z.enum(Object.keys(statementTypes) as [StatementType, ...StatementType[]]);

/**
 * The person of the station who confirmed a month, the time, and the figures at that time in fen.
 */
const confirmation = z.object({
  confirmed_by_name: z.string(),
  at: time,
  note: z.string(),
  opening: signedFen,
  in: signedFen,
  out: signedFen,
  closing: signedFen,
});

/**
 * The figures of a station for a month, in fen. `opening` + `in` − `out` = `closing`; `frozen` is
 * the held amount at the end of the month.
 */
const figures = {
  opening: signedFen,
  in: signedFen,
  out: signedFen,
  closing: signedFen,
  frozen: signedFen,
  lines: z.int(),
};

export const statementSummary = z.object({
  station_id: z.int(),
  station_name: z.string(),
  period: z.string(),
  /** 1: the month has ended or is closed, so that its statement can be confirmed. */
  over: flag,
  /** 1: the month is closed. */
  closed: flag,
  ...figures,
  /** The types that have transactions; `in` − `out` = `amount`. */
  by_type: z.array(
    z.object({
      type,
      lines: z.int(),
      in: signedFen,
      out: signedFen,
      amount: signedFen,
      freeze_amount: signedFen,
    }),
  ),
  confirmation: z.nullable(confirmation),
  /** 1: after the month was confirmed, further transactions were posted in it. */
  changed: flag,
});
export type StatementSummary = z.infer<typeof statementSummary>;

export const schemas = {
  stationStatementSummary: {
    input: z.object({ id, period }),
    output: statementSummary,
  },
  stationStatement: {
    input: z.object({
      id,
      period,
      format: z.enum(['pdf', 'xlsx'], 'invalid'),
      language: z.optional(z.enum(['zh', 'en'], 'invalid')),
    }),
    output: z.unknown(),
  },
  archiveStatements: {
    input: z.object({
      period,
      station_id: z.optional(id),
      language: z.optional(z.enum(['zh', 'en'], 'invalid')),
    }),
    output: z.object({ job_id: z.int(), stations: z.int() }),
  },
  confirmStatement: {
    input: z.object({ id, period, closing: signedFen, note: z.optional(text(0, noteLength)) }),
    output: statementSummary,
  },
  listConfirmations: {
    input: z.object({ period }),
    output: z.object({
      period: z.string(),
      over: flag,
      closed: flag,
      stations: z.int(),
      confirmed: z.int(),
      /** The latest reminder. */
      reminded: z.nullable(z.object({ at: time, by_name: z.string(), stations: z.int() })),
      items: z.array(
        z.object({
          station_id: z.int(),
          station_name: z.string(),
          ...figures,
          confirmed_by_name: z.nullable(z.string()),
          confirmed_at: z.nullable(time),
          changed: flag,
        }),
      ),
    }),
  },
  compareChainHead: {
    input: z.object({
      id,
      head: text(1, noteLength).check(
        z.refine((value) => typedHead(value) !== null, { error: 'invalid' }),
      ),
    }),
    output: z.object({
      /**
       * 1: a link of the station's hash chain has this hash, and also the typed number, if the user
       * typed one.
       */
      found: flag,
      /**
       * 1: the link follows from the previous link, and the link's transfer matches the link's
       * hash.
       */
      holds: flag,
      /** The ordinal number of the link that was found; `at` is the time of its transfer. */
      seq: z.nullable(z.int()),
      at: z.nullable(time),
      /** The ordinal number of the newest link; 0 if nothing was posted. */
      newest: z.int(),
    }),
  },
  ledgerStanding: {
    input: z.object({}),
    output: z.object({ stopped: flag, blocked: flag }),
  },
};

export const calls = withSchemas(endpoints, schemas);
