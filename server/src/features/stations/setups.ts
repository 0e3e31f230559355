import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { StationSetup } from '@waystation/contract/station-setup.ts';
import type * as calls from '@waystation/contract/station-setup.ts';
import type { App } from '#app.ts';
import { refuseOwn } from '#domain/network/network.ts';
import { beginSetup, endSetup, openSetups, setupsOfStations } from '#domain/station-setup/station-setup.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { Tx } from '#platform/db/db.ts';
import { lockRow } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { Origin, RequestContext } from '#platform/http/context.ts';

const shown = async (app: App, tx: Tx, actor: Actor, id: number): Promise<StationSetup> =>
  (await setupsOfStations(tx, scopeOf(actor), actor.account_id, [id], app.clock.now()))[0] ?? fail('not_found');

export const list = (app: App, actor: Actor): Promise<OutputOf<typeof calls.listStationSetups>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => ({ items: await openSetups(tx, scope, actor.account_id, app.clock.now()) }));
};

export const get = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.getStationSetup>): Promise<StationSetup> =>
  app.db.tx(scopeOf(actor), (tx) => shown(app, tx, actor, id));

/** In the caller's transaction, with its audit entry; nothing where a guide is open already. */
export const beginInTx = async (app: App, tx: Tx, actor: Actor, id: number, request: Origin): Promise<void> => {
  if (await beginSetup(tx, id, actor.account_id, app.clock.now()))
    await recordAudit(tx, actor, request, { action: 'begin_setup', subject: 'stations', subject_id: id, station_id: id });
};

const onLocked = (app: App, actor: Actor, id: number, change: (tx: Tx) => Promise<void>): Promise<StationSetup> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => {
    await lockRow(tx, 'stations', id, [scopeCondition(scope, 'r.id')]);
    refuseOwn(actor, id);
    await change(tx);
    return shown(app, tx, actor, id);
  });
};

export const begin = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.beginStationSetup>, request: RequestContext): Promise<StationSetup> =>
  onLocked(app, actor, id, (tx) => beginInTx(app, tx, actor, id, request));

export const end = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.endStationSetup>, request: RequestContext): Promise<StationSetup> =>
  onLocked(app, actor, id, async (tx) => {
    if (await endSetup(tx, id, app.clock.now()))
      await recordAudit(tx, actor, request, { action: 'end_setup', subject: 'stations', subject_id: id, station_id: id });
  });
