import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { mostPendingTopUps } from '@waystation/contract/base/limits.ts';
import { office } from '@waystation/contract/base/roles.ts';
import type * as calls from '@waystation/contract/money/statement.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import type { App } from '#app.ts';
import { request as askFor, statementIn, topUp, toppedUpAlone } from '#domain/ledger/ledger.ts';
import { sameHand } from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { readSetting } from '#platform/settings.ts';
import { announceIfNobodyDecides, moveOnce, recordRequest, requireStation } from './movement.ts';
import type { MovementMeta } from './movement.ts';

/**
 * True if one user may top up this amount alone. It must be within the limit by itself, and
 * together with the other top-ups of the day.
 */
export const fitsAlone = async (
  work: Work,
  amount: number,
  { by, at }: MovementMeta,
): Promise<boolean> => {
  const today = await toppedUpAlone(work, {
    account_ids: await sameHand(work, { account_id: by, at }),
    at,
  });
  return (
    amount <= (await readSetting(work, 'top_up_limit')) &&
    today + amount <= (await readSetting(work, 'top_up_day_limit'))
  );
};

/**
 * Requests a top-up of the actor's own station. No money moves until an administrator approves it.
 */
const requestOne = (
  app: App,
  actor: Actor,
  { id, amount, description = '' }: ParsedOf<typeof calls.topUpStation>,
  request: RequestContext,
): Promise<Statement> =>
  moveOnce({
    app,
    actor,
    request,
    endpoint: `POST /api/arco/stations/${id}/top-ups`,
    effect: async (work, meta) => {
      if (id !== actor.station_id) fail('not_found');
      const { pending } = await oneRow(
        work,
        sql<{ pending: number }>`select count(*)::int as pending
          from (select 1 from statements
          where station_id = ${id} and status = 'pending' and type = 'top_up'
            and account_id = ${actor.account_id} limit ${mostPendingTopUps}) p`,
      );
      if (pending >= mostPendingTopUps)
        fail('too_many_top_up_requests', { limit: mostPendingTopUps });
      const statement_id = await askFor(work, {
        type: 'top_up',
        station_id: id,
        amount,
        description,
        ...meta,
      });
      const asked = { statement_id, station_id: id, amount, description };
      await recordRequest(work, 'request_top_up', asked, meta);
      return statement_id;
    },
  });

/**
 * Tops up a station once, however often the request is repeated. An amount above the limits waits
 * for a second person.
 */
const topUpByOffice = (
  app: App,
  actor: Actor,
  { id, amount, description = '' }: ParsedOf<typeof calls.topUpStation>,
  request: RequestContext,
): Promise<Statement> =>
  moveOnce({
    app,
    actor,
    request,
    endpoint: `POST /api/arco/stations/${id}/top-ups`,
    effect: async (work, meta) => {
      await requireStation(work, id);
      const alone = await fitsAlone(work, amount, meta);
      const input = { station_id: id, amount, description, ...meta };
      const statement_id = await (alone
        ? topUp(work, input)
        : askFor(work, { type: 'top_up', ...input }));
      const { balance } = await statementIn(work, statement_id);
      await recordAudit(work, {
        action: alone ? 'top_up' : 'request_top_up',
        subject: 'stations',
        subject_id: id,
        station_id: id,
        changes:
          balance === null ? { amount: [null, amount] } : { money: [balance - amount, balance] },
        reason: description,
      });
      if (!alone)
        await announceIfNobodyDecides(
          work,
          { statement_id, asked_by: meta.by, asked_at: meta.at },
          meta,
        );
      return statement_id;
    },
  });

/** Tops up as an administrator, or requests a top-up as a station or a partner. */
export const topUpOne: typeof topUpByOffice = (app, actor, input, request) =>
  (office.includes(actor.role) ? topUpByOffice : requestOne)(app, actor, input, request);
