import { expect, it } from 'vitest';
import type { App } from '#app.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { RequestContext } from '#platform/http/context.ts';
import * as decisions from './decisions.ts';
import * as movements from './movements.ts';
import * as topUps from './top-ups.ts';

type Handler = (...of: [App, Actor, never, RequestContext]) => Promise<unknown>;

const handlers = { ...decisions, ...movements, ...topUps } as unknown as Record<string, Handler>;

it.each([
  'approve',
  'decline',
  'retract',
  'reverse',
  'topUpOne',
  'withdraw',
  'adjust',
  'refund',
  'payOut',
])(
  'the money operation %s is refused to an API key by its handler as well, before it reads anything',
  async (name) => {
    const handler = handlers[name];
    expect(handler).toBeTypeOf('function');
    const actor = { account_id: 1, role: 'super', key: { id: 1, name: 'shop' } } as Actor;
    const app = { clock: { now: () => new Date() } } as App;
    const call = async () =>
      handler!(app, actor, { id: 1, amount: 100 } as never, {} as RequestContext);
    await expect(call()).rejects.toMatchObject({ code: 'key_forbidden' });
  },
);
