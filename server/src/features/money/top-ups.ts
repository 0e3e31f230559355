import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/statement.ts';
import type { Statement } from '@waystation/contract/statement.ts';
import type { App } from '#app.ts';
import { request as askFor, statementIn, topUp, toppedUpAlone } from '#domain/ledger/ledger.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { Tx } from '#platform/db/db.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { readSetting } from '#platform/settings.ts';
import { announceIfNobodyDecides, moveOnce, requireStation } from './movement.ts';
import type { MovementMeta } from './movement.ts';

/** Whether one person may top up so much alone: singly, and with the day's other top-ups. */
const fitsAlone = async (tx: Tx, amount: number, { by, at }: MovementMeta): Promise<boolean> => {
  const today = await toppedUpAlone(tx, { account_id: by, at });
  return amount <= (await readSetting(tx, 'top_up_limit')) && today + amount <= (await readSetting(tx, 'top_up_day_limit'));
};

/** Tops a station up once, however often the request is repeated; above the limits it waits for a second person. */
export const topUpOne = (
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
