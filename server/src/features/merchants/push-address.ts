import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import { pushAddressDays } from '@waystation/contract/limits.ts';
import type { endPreviousPushAddress, merchantPushAddress, replaceMerchantPushAddress } from '@waystation/contract/merchant.ts';
import type { App } from '#app.ts';
import { endPreviousPushSecret, openPushSecret, replacePushSecret } from '#domain/merchant-secrets/merchant-secrets.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { Tx } from '#platform/db/db.ts';
import { lockRow } from '#platform/db/rows.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

type PushAddress = OutputOf<typeof merchantPushAddress>;

/** The address as it is now, which holds this secret. */
const addressOf = async (tx: Tx, id: number, secret: string, now: Date): Promise<PushAddress> => {
  const { provider, previous_push_until } = await tx
    .selectFrom('merchants')
    .select(['provider', 'previous_push_until'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const until = previous_push_until && previous_push_until > now ? previous_push_until.toISOString() : null;
  return { path: `/api/carriers/${provider}/push/${secret}`, previous_until: until };
};

const audit = (tx: Tx, actor: Actor, request: RequestContext, id: number, action: string): Promise<void> =>
  recordAudit(tx, actor, request, { action, subject: 'merchants', subject_id: id, changes: { push_secret: [null, null] } });

/** The address the carrier pushes to. Anyone who knows it can act as the carrier, so every view is audited. */
export const pushAddress = (app: App, actor: Actor, { id }: ParsedOf<typeof merchantPushAddress>, request: RequestContext): Promise<PushAddress> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    if (!(await tx.selectFrom('merchants').select('id').where('id', '=', id).executeTakeFirst())) fail('not_found');
    const address = await addressOf(tx, id, await openPushSecret(tx, app.secrets, id), app.clock.now());
    await audit(tx, actor, request, id, 'reveal_push_address');
    return address;
  });

/** A new address; the one before stays valid for some days, in which the office enters the new one at the carrier. */
export const replacePushAddress = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof replaceMerchantPushAddress>,
  request: RequestContext,
): Promise<PushAddress> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    await lockRow(tx, 'merchants', id);
    const now = app.clock.now();
    const secret = await replacePushSecret(tx, app.secrets, id, new Date(now.getTime() + pushAddressDays * 86_400_000));
    await audit(tx, actor, request, id, 'replace_push_address');
    return addressOf(tx, id, secret, now);
  });

/** The address before ends at once. */
export const endPreviousAddress = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof endPreviousPushAddress>,
  request: RequestContext,
): Promise<Record<string, never>> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    await lockRow(tx, 'merchants', id);
    await endPreviousPushSecret(tx, id);
    await audit(tx, actor, request, id, 'end_push_address');
    return {};
  });
