import { blockingFindings } from '@waystation/contract/money/voucher-check.ts';
import { changedCells } from '@waystation/contract/money/voucher-diff.ts';
import type { TemplateState } from '@waystation/contract/money/voucher-diff.ts';
import type { TemplateContent } from '@waystation/contract/money/voucher-content.ts';
import type { Voucher, VoucherVersion } from '@waystation/contract/money/voucher.ts';
import type * as calls from '@waystation/contract/money/voucher.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { App } from '#app.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { businessDay, dayStart } from '#platform/clock.ts';
import { callerOf, jsonText, sql } from '#platform/db/db.ts';
import type { UserWork, Work } from '#platform/db/db.ts';
import { getRow } from '#platform/db/rows.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { cellChanges, lockVoucher, readVoucher } from './vouchers.ts';

/**
 * The versions of a template, each with the time until which it is valid. That is the start of the
 * next version that begins at or after it.
 */
const shown = (
  voucher_id: number,
) => sql`(select n.no as id, n.no, n.valid_from, n.discount, n.northeast_discount, n.weight,
  n.published_at, a.username as published_by,
    (select min(x.valid_from) from voucher_versions x where x.voucher_id = n.voucher_id
      and (x.valid_from, x.no) > (n.valid_from, n.no)) as valid_until
  from voucher_versions n left join accounts a on a.id = n.published_by
    where n.voucher_id = ${voucher_id})`;

type Full = VoucherVersion & { weight: TemplateContent };

export const list = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.listVoucherVersions>,
): Promise<OutputOf<typeof calls.listVoucherVersions>> =>
  app.db.tx(callerOf(actor), async (work) => {
    await readVoucher(app, work, id);
    const { rows } = await sql<VoucherVersion>`select r.id, r.no, r.valid_from, r.valid_until,
      r.discount, r.northeast_discount, r.published_at, r.published_by
      from ${shown(id)} r order by r.no desc`.execute(work.tx);
    const wire = (time: unknown): string => (time as Date).toISOString();
    return {
      items: rows.map((row) => ({
        ...row,
        valid_from: wire(row.valid_from),
        valid_until: row.valid_until && wire(row.valid_until),
        published_at: wire(row.published_at),
      })),
    };
  });

export const versionOf = (work: Work, id: number, no: number): Promise<Full> =>
  getRow<Full>(work, shown(id), no);

export const get = (
  app: App,
  actor: Actor,
  { id, no }: ParsedOf<typeof calls.getVoucherVersion>,
): Promise<Full> =>
  app.db.tx(callerOf(actor), async (work) => {
    await readVoucher(app, work, id);
    return versionOf(work, id, no);
  });

/** The draft if `no` is 0, else the published version `no`. */
export const stateOf = (app: App, work: Work, id: number, no: number): Promise<TemplateState> =>
  no === 0 ? readVoucher(app, work, id) : versionOf(work, id, no);

export const compare = (
  app: App,
  actor: Actor,
  { id, from, to }: ParsedOf<typeof calls.compareVoucher>,
): Promise<OutputOf<typeof calls.compareVoucher>> =>
  app.db.tx(callerOf(actor), async (work) => ({
    from,
    to,
    cells: changedCells(await stateOf(app, work, id, from), await stateOf(app, work, id, to)),
  }));

/**
 * The time from which a version is valid: midnight in Shanghai if a later day is given, else now.
 */
const beginOf = (now: Date, day: string | undefined): Date => {
  const today = businessDay(now);
  if (day === undefined || day === today) return now;
  if (day < today) failFields({ valid_from: { code: 'valid_from_past' } });
  return dayStart(day);
};

/**
 * Makes the draft the next version, which never changes. Parcels ordered from its first day on are
 * priced by it.
 */
export const publish = (
  app: App,
  actor: Actor,
  { id, version, valid_from }: ParsedOf<typeof calls.publishVoucher>,
  request: RequestContext,
): Promise<Voucher> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const draft = await lockVoucher(app, work, id, version);
    const now = app.clock.now();
    const begin = beginOf(now, valid_from);
    if (draft.weight.origins.length === 0) fail('voucher_empty');
    const count = blockingFindings(draft.weight).length;
    if (count > 0) fail('voucher_not_ready', { count });
    const { changed, latest_no } = await readVoucher(app, work, id);
    if (changed === 0) fail('voucher_unchanged', { no: latest_no! });
    const before: TemplateState =
      latest_no === null
        ? { ...draft, weight: { divisor: null, origins: [] } }
        : await versionOf(work, id, latest_no);
    const no = (latest_no ?? 0) + 1;
    await work.tx
      .insertInto('voucher_versions')
      .values({
        voucher_id: id,
        no,
        valid_from: begin,
        discount: draft.discount,
        northeast_discount: draft.northeast_discount,
        weight: jsonText(draft.weight),
        published_by: actor.account_id,
        published_at: now,
      })
      .execute();
    const changes = {
      no: [latest_no, no] as const,
      valid_from: [null, begin.toISOString()] as const,
      ...cellChanges(before, draft),
    };
    await recordAudit(work, {
      action: 'publish',
      subject: 'vouchers',
      subject_id: id,
      changes,
    });
    return readVoucher(app, work, id);
  });

/**
 * Fails if a version cannot be withdrawn: it is already valid, another version was published after
 * it, or no version was published before it. Returns the version before it.
 */
const checkedBefore = async (
  app: App,
  work: Work,
  id: number,
  no: number,
): Promise<{ version: Full; before: Full }> => {
  const version = await versionOf(work, id, no);
  if (new Date(version.valid_from) <= app.clock.now()) fail('undo_begun');
  const { latest_no } = await readVoucher(app, work, id);
  if (latest_no !== no) fail('undo_changed');
  const { rows } = await sql<{ no: number }>`select no from voucher_versions
    where voucher_id = ${id} and no < ${no} and valid_from <= ${version.valid_from}
    order by valid_from desc, no desc limit 1`.execute(work.tx);
  return {
    version,
    before: rows[0] ? await versionOf(work, id, rows[0].no) : fail('undo_first_version'),
  };
};

export const checkWithdrawal = async (
  app: App,
  work: Work,
  id: number,
  no: number,
): Promise<void> => void (await checkedBefore(app, work, id, no));

/**
 * Withdraws a planned version in the caller's transaction. Versions never change: the previous
 * version is published again for the same time, and the newer of two versions with one time
 * applies. The draft is unchanged.
 */
export const withdrawInTx = async (
  app: App,
  work: UserWork,
  { id, no }: { id: number; no: number },
): Promise<void> => {
  await lockVoucher(app, work, id);
  const { version, before } = await checkedBefore(app, work, id, no);
  await work.tx
    .insertInto('voucher_versions')
    .values({
      voucher_id: id,
      no: no + 1,
      valid_from: version.valid_from,
      discount: before.discount,
      northeast_discount: before.northeast_discount,
      weight: jsonText(before.weight),
      published_by: work.actor.account_id,
      published_at: app.clock.now(),
    })
    .execute();
  const changes = { no: [no, no + 1] as const, ...cellChanges(version, before) };
  await recordAudit(work, {
    action: 'withdraw_publication',
    subject: 'vouchers',
    subject_id: id,
    changes,
  });
};
