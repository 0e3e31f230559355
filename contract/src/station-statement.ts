import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flag, id, signedFen, text, time } from './fields.ts';
import { period } from './reconciliation.ts';
import { everyone, managers, office } from './roles.ts';
import { statementTypes } from './statement.ts';
import type { StatementType } from './statement.ts';

const base = '/api/arco/stations/{id}/statement';
const type = z.enum(Object.keys(statementTypes) as [StatementType, ...StatementType[]]);

/** Who of the station agreed to a month's figures, and when; the figures as they were then. Fen. */
const confirmation = z.object({
  confirmed_by_name: z.string(),
  at: time,
  note: z.string(),
  opening: signedFen,
  in: signedFen,
  out: signedFen,
  closing: signedFen,
});

/** The figures of a station's month. `opening` + `in` − `out` = `closing`; `frozen` is what was frozen at its end. */
const figures = { opening: signedFen, in: signedFen, out: signedFen, closing: signedFen, frozen: signedFen, lines: z.int() };

export const statementSummary = z.object({
  station_id: z.int(),
  station_name: z.string(),
  period: z.string(),
  /** 1: no day of it is to come, or it is closed, so that it can be confirmed. */
  over: flag,
  /** 1: the books of that month are closed. */
  closed: flag,
  ...figures,
  /** Types that have lines; `in` − `out` = `amount`. */
  by_type: z.array(z.object({ type, lines: z.int(), in: signedFen, out: signedFen, amount: signedFen, freeze_amount: signedFen })),
  confirmation: z.nullable(confirmation),
  /** 1: lines came into the month after it was confirmed. */
  changed: flag,
});
export type StatementSummary = z.infer<typeof statementSummary>;

export const stationStatementSummary = endpoint({
  method: 'GET',
  path: `${base}/summary`,
  roles: managers,
  summary: 'What a station had at the start and at the end of a month, what came and went, and whether it has agreed.',
  input: z.object({ id, period }),
  output: statementSummary,
});

/** Lines of one statement at most. */
export const mostStatementLines = 100_000;

export const stationStatement = endpoint({
  method: 'GET',
  path: base,
  roles: managers,
  answers: 'file',
  summary: 'The statement of a station for a month with every line, to print (PDF) or to calculate with (XLSX).',
  input: z.object({ id, period, format: z.enum(['pdf', 'xlsx'], 'invalid'), language: z.optional(z.enum(['zh', 'en'], 'invalid')) }),
  output: z.unknown(),
});

/** The same again answers the same; refused where the month is not over, or the books say another `closing` than the caller has seen. */
export const confirmStatement = endpoint({
  method: 'POST',
  path: `${base}/confirm`,
  roles: ['partner', 'station'],
  summary: 'Agree to the figures of a month of one’s own station.',
  input: z.object({ id, period, closing: signedFen, note: z.optional(text(0, 200)) }),
  output: statementSummary,
});

export const listConfirmations = endpoint({
  method: 'GET',
  path: '/api/arco/periods/{period}/confirmations',
  roles: office,
  summary: 'Which stations with lines in a month have agreed to it; those that have not come first.',
  input: z.object({ period }),
  output: z.object({
    period: z.string(),
    over: flag,
    closed: flag,
    stations: z.int(),
    confirmed: z.int(),
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
});

/** `stopped` 1: the books do not balance and all money stands still; `blocked` 1: those of the caller’s own station do not prove. */
export const ledgerStanding = endpoint({
  method: 'GET',
  path: '/api/arco/ledger/standing',
  roles: everyone,
  summary: 'Whether money moves: everywhere, and in one’s own station.',
  input: z.object({}),
  output: z.object({ stopped: flag, blocked: flag }),
});
