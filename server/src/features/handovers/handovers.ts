import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { mostMissingNamed } from '@waystation/contract/base/limits.ts';
import type * as calls from '@waystation/contract/parcels/handover.ts';
import type { Handover } from '@waystation/contract/parcels/handover.ts';
import type { App } from '#app.ts';
import { renderHandover } from '#domain/documents/documents.ts';
import {
  cancelledOf,
  closeHandover,
  discardHandover,
  expectedOf,
  handoverIn,
  handoversOfParcel,
  missingOf,
  openHandover,
  othersOf,
  packagesOf,
  scanNumbers,
  scansOf,
  shownHandover,
  takeBack as takeScanBack,
} from '#domain/handovers/handovers.ts';
import { stationFor } from '#domain/offers/offers.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { UserWork } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { FileAnswer, RequestContext } from '#platform/http/context.ts';

type Changing = (work: UserWork) => Promise<number>;

/** Changes a hand-over and returns it. */
const changed = (
  app: App,
  actor: Actor,
  request: RequestContext,
  change: Changing,
): Promise<Handover> =>
  app.db.tx(callerOf(actor, request), async (work) => shownHandover(work, await change(work)));

export const open = (
  app: App,
  actor: Actor,
  { station_id, provider }: ParsedOf<typeof calls.openHandover>,
  request: RequestContext,
): Promise<Handover> =>
  changed(app, actor, request, async (work) => {
    const station = await stationFor(work, actor, station_id);
    return openHandover(work, { station_id: station.id, provider, at: app.clock.now() });
  });

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getHandover>,
): Promise<OutputOf<typeof calls.getHandover>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const visit = await handoverIn(work, id);
    const handover = await shownHandover(work, id);
    const others = await othersOf(work, id);
    const cancelled_packages = visit.status === 'open' ? await cancelledOf(work, id) : 0;
    const { missing, missing_parcels, is_capped } =
      visit.status === 'open'
        ? await expectedOf(work, visit)
        : {
            missing: visit.missing,
            missing_parcels: visit.missing_parcels.parcels,
            is_capped: 0 as const,
          };
    return {
      handover,
      expected: missing + handover.packages,
      missing,
      missing_parcels,
      others,
      cancelled_packages,
      is_capped,
    };
  });

export const scans = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.handoverScans>,
): Promise<OutputOf<typeof calls.handoverScans>> =>
  app.db.tx(callerOf(actor), async (work) => {
    await handoverIn(work, input.id);
    return scansOf(work, input);
  });

export const missing = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.handoverMissing>,
): Promise<OutputOf<typeof calls.handoverMissing>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const visit = await handoverIn(work, id);
    const { parcels, items } =
      visit.status === 'open' ? await missingOf(work, visit) : visit.missing_parcels;
    const ids = items.map(({ express_id }) => express_id);
    const { rows } = await sql<{ id: number }>`select e.id from expresses e
      where e.id = any(${ids}::bigint[])
      and ${scopeCondition(work, 'e.station_id', 'e.user_id')}`.execute(work.tx);
    const seen = new Set(rows.map((row) => row.id));
    return {
      parcels,
      items: items.slice(0, mostMissingNamed).map((item) => ({
        ...item,
        express_id: seen.has(item.express_id) ? item.express_id : null,
      })),
    };
  });

export const scan = (
  app: App,
  actor: Actor,
  { id, scans: scanned }: ParsedOf<typeof calls.scanHandover>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.scanHandover>> =>
  app.db.tx(callerOf(actor, request), (work) => scanNumbers(work, id, scanned, app.clock.now()));

export const takeBack = (
  app: App,
  actor: Actor,
  { id, scan_id }: ParsedOf<typeof calls.takeBackScan>,
  request: RequestContext,
): Promise<Handover> =>
  changed(app, actor, request, async (work) => {
    await takeScanBack(work, { id, scan_id, at: app.clock.now() });
    return id;
  });

export const close = (
  app: App,
  actor: Actor,
  {
    courier_name = '',
    note = '',
    with_cancelled = 0,
    ...input
  }: ParsedOf<typeof calls.closeHandover>,
  request: RequestContext,
): Promise<Handover> =>
  changed(app, actor, request, async (work) => {
    await closeHandover(work, {
      ...input,
      with_cancelled,
      courier_name,
      note,
      at: app.clock.now(),
    });
    return input.id;
  });

export const discard = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.discardHandover>,
  request: RequestContext,
): Promise<Handover> =>
  changed(app, actor, request, async (work) => {
    await discardHandover(work, { id, at: app.clock.now() });
    return id;
  });

/**
 * Returns the list of a closed hand-over as a PDF. Its QR code leads to the page of the hand-over.
 */
export const print = async (
  app: App,
  actor: Actor,
  { id, language = 'zh', origin }: ParsedOf<typeof calls.printHandover>,
  request: RequestContext,
): Promise<FileAnswer> => {
  const content = await app.db.tx(callerOf(actor, request), async (work) => {
    const visit = await handoverIn(work, id);
    if (visit.status !== 'closed') fail('handover_not_closed', { id });
    const handover = await shownHandover(work, id);
    const packages = await packagesOf(work, id);
    await recordAudit(work, {
      action: 'print',
      subject: 'handovers',
      subject_id: id,
      station_id: visit.station_id,
    });
    return { handover, packages, missing: visit.missing_parcels };
  });
  return {
    body: await renderHandover({
      ...content,
      language,
      address: `${origin}/#/model/handovers/visit?id=${id}`,
      made_by: actor.nickname || actor.username,
      made_at: app.clock.now().toISOString(),
    }),
    type: 'application/pdf',
    name: `handover-${id}.pdf`,
  };
};

export const ofParcel = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.parcelHandovers>,
): Promise<OutputOf<typeof calls.parcelHandovers>> =>
  app.db.tx(callerOf(actor), async (work) => ({ items: await handoversOfParcel(work, id) }));
