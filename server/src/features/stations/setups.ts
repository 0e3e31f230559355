import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { StationSetup } from '@waystation/contract/network/station-setup.ts';
import type * as calls from '@waystation/contract/network/station-setup.ts';
import type { App } from '#app.ts';
import { refuseOwn } from '#domain/network/network.ts';
import {
  beginSetup,
  endSetup,
  openSetups,
  setupsOfStations,
} from '#domain/station-setup/station-setup.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import type { ReaderWork, UserCaller, UserWork } from '#platform/db/db.ts';
import { lockRow } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

const shown = async (app: App, work: ReaderWork, id: number): Promise<StationSetup> =>
  (await setupsOfStations(work, work.actor.account_id, [id], app.clock.now()))[0] ??
  fail('not_found');

export const list = (app: App, actor: Actor): Promise<OutputOf<typeof calls.listStationSetups>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => ({
    items: await openSetups(work, actor.account_id, app.clock.now()),
  }));
};

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getStationSetup>,
): Promise<StationSetup> => app.db.tx(callerOf(actor), (work) => shown(app, work, id));

/**
 * Begins the setup guide of a station in the caller's transaction, with its audit entry. Has no
 * effect if one is already open.
 */
export const beginInTx = async (app: App, work: UserWork, id: number): Promise<void> => {
  if (await beginSetup(work, id, work.actor.account_id, app.clock.now()))
    await recordAudit(work, {
      action: 'begin_setup',
      subject: 'stations',
      subject_id: id,
      station_id: id,
    });
};

const onLocked = (
  app: App,
  caller: UserCaller,
  id: number,
  change: (work: UserWork) => Promise<void>,
): Promise<StationSetup> =>
  app.db.tx(caller, async (work) => {
    await lockRow(work, 'stations', id, [scopeCondition(work, 'r.id')]);
    refuseOwn(work.actor, id);
    await change(work);
    return shown(app, work, id);
  });

export const begin = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.beginStationSetup>,
  request: RequestContext,
): Promise<StationSetup> =>
  onLocked(app, callerOf(actor, request), id, (work) => beginInTx(app, work, id));

export const end = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.endStationSetup>,
  request: RequestContext,
): Promise<StationSetup> =>
  onLocked(app, callerOf(actor, request), id, async (work) => {
    if (await endSetup(work, id, app.clock.now()))
      await recordAudit(work, {
        action: 'end_setup',
        subject: 'stations',
        subject_id: id,
        station_id: id,
      });
  });
