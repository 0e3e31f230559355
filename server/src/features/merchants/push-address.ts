import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type { merchantPushAddress } from '@waystation/contract/merchant.ts';
import type { App } from '#app.ts';
import { openPushSecret } from '#domain/merchant-secrets/merchant-secrets.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

/** The address the carrier pushes to. Anyone who knows it can act as the carrier, so every view is audited. */
export const pushAddress = (app: App, actor: Actor, { id }: ParsedOf<typeof merchantPushAddress>, request: RequestContext): Promise<{ path: string }> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const { provider } = (await tx.selectFrom('merchants').select('provider').where('id', '=', id).executeTakeFirst()) ?? fail('not_found');
    const path = `/api/carriers/${provider}/push/${await openPushSecret(tx, app.secrets, id)}`;
    await recordAudit(tx, actor, request, { action: 'reveal_push_address', subject: 'merchants', subject_id: id, changes: { push_secret: [null, null] } });
    return { path };
  });
