import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { pushAddressDays } from '@waystation/contract/base/limits.ts';
import type {
  endPreviousPushAddress,
  merchantPushAddress,
  replaceMerchantPushAddress,
} from '@waystation/contract/network/merchant.ts';
import type { App } from '#app.ts';
import {
  endPreviousPushSecret,
  openPushSecret,
  replacePushSecret,
} from '#domain/merchant-secrets/merchant-secrets.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import type { UserWork, Work } from '#platform/db/db.ts';
import { lockRow } from '#platform/db/rows.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

type PushAddress = OutputOf<typeof merchantPushAddress>;

/** Returns the present push URL, which contains this secret. */
const addressOf = async (
  work: Work,
  id: number,
  secret: string,
  now: Date,
): Promise<PushAddress> => {
  const { provider, previous_push_until } = await work.tx
    .selectFrom('merchants')
    .select(['provider', 'previous_push_until'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const until =
    previous_push_until && previous_push_until > now ? previous_push_until.toISOString() : null;
  return { path: `/api/carriers/${provider}/push/${secret}`, previous_until: until };
};

const audit = (work: UserWork, id: number, action: string): Promise<void> =>
  recordAudit(work, {
    action,
    subject: 'merchants',
    subject_id: id,
    changes: { push_secret: [null, null] },
  });

/**
 * Returns the push URL. Anyone who has it can act as the carrier, so every view of it is audited.
 */
export const pushAddress = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof merchantPushAddress>,
  request: RequestContext,
): Promise<PushAddress> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    if (
      !(await work.tx.selectFrom('merchants').select('id').where('id', '=', id).executeTakeFirst())
    )
      fail('not_found');
    const address = await addressOf(
      work,
      id,
      await openPushSecret(work, app.secrets, id),
      app.clock.now(),
    );
    await audit(work, id, 'reveal_push_address');
    return address;
  });

/**
 * Replaces the push URL. The previous URL stays valid for some days, so that an administrator can
 * enter the new URL at the carrier.
 */
export const replacePushAddress = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof replaceMerchantPushAddress>,
  request: RequestContext,
): Promise<PushAddress> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    await lockRow(work, 'merchants', id);
    const now = app.clock.now();
    const secret = await replacePushSecret(
      work,
      app.secrets,
      id,
      new Date(now.getTime() + pushAddressDays * 86_400_000),
    );
    await audit(work, id, 'replace_push_address');
    return addressOf(work, id, secret, now);
  });

/** Ends the previous push URL at once. */
export const endPreviousAddress = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof endPreviousPushAddress>,
  request: RequestContext,
): Promise<Record<string, never>> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    await lockRow(work, 'merchants', id);
    await endPreviousPushSecret(work, id);
    await audit(work, id, 'end_push_address');
    return {};
  });
