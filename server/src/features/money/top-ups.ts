import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import { mostPendingTopUps } from '@waystation/contract/limits.ts';
import { office } from '@waystation/contract/roles.ts';
import type * as calls from '@waystation/contract/statement.ts';
import type { Statement } from '@waystation/contract/statement.ts';
import type { App } from '#app.ts';
import { request as askFor, statementIn, topUp, toppedUpAlone } from '#domain/ledger/ledger.ts';
import { sameHand } from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { asSystem, oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { readSetting } from '#platform/settings.ts';
import { announceIfNobodyDecides, moveOnce, requireStation } from './movement.ts';
import type { MovementMeta } from './movement.ts';

/** Whether one person may top up so much alone: singly, and with the day's other top-ups. */
export const fitsAlone = async (tx: Tx, amount: number, { by, at }: MovementMeta): Promise<boolean> => {
  const today = await toppedUpAlone(tx, { account_ids: await sameHand(tx, { account_id: by, at }), at });
  return amount <= (await readSetting(tx, 'top_up_limit')) && today + amount <= (await readSetting(tx, 'top_up_day_limit'));
};

/** Of the actor's station alone, by the station itself: moves nothing until the office approves it. */
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
    effect: async (tx, scope, meta) => {
      if (id !== actor.station_id) fail('not_found');
      const { pending } = await oneRow(
        tx,
        sql<{ pending: number }>`select count(*)::int as pending from (select 1 from statements
          where station_id = ${id} and status = 'pending' and type = 'top_up' and account_id = ${actor.account_id} limit ${mostPendingTopUps}) p`,
      );
      if (pending >= mostPendingTopUps) fail('too_many_top_up_requests', { limit: mostPendingTopUps });
      const statement_id = await askFor(tx, { type: 'top_up', station_id: id, amount, description, ...meta });
      await recordAudit(tx, actor, request, {
        action: 'request_top_up',
        subject: 'stations',
        subject_id: id,
        station_id: id,
        changes: { amount: [null, amount] },
        reason: description,
      });
      await asSystem(tx, scope, () => announceIfNobodyDecides(tx, { statement_id, asked_by: meta.by, asked_at: meta.at }, meta));
      return statement_id;
    },
  });

/** Tops a station up once, however often the request is repeated; above the limits it waits for a second person. */
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
    effect: async (tx, scope, meta) => {
      await requireStation(tx, scope, id);
      const alone = await fitsAlone(tx, amount, meta);
      const input = { station_id: id, amount, description, ...meta };
      const statement_id = await (alone ? topUp(tx, input) : askFor(tx, { type: 'top_up', ...input }));
      const { balance } = await statementIn(tx, scope, statement_id);
      await recordAudit(tx, actor, request, {
        action: alone ? 'top_up' : 'request_top_up',
        subject: 'stations',
        subject_id: id,
        station_id: id,
        changes: balance === null ? { amount: [null, amount] } : { money: [balance - amount, balance] },
        reason: description,
      });
      if (!alone) await announceIfNobodyDecides(tx, { statement_id, asked_by: meta.by, asked_at: meta.at }, meta);
      return statement_id;
    },
  });

/** The office tops up; a station and a partner ask for it. */
export const topUpOne: typeof topUpByOffice = (app, actor, input, request) =>
  (office.includes(actor.role) ? topUpByOffice : requestOne)(app, actor, input, request);
