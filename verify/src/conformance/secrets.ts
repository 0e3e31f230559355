import { changedLeaves } from './json-leaves.ts';
import type { Fate } from './line.ts';
import { declaredOperations, operations } from './operations.ts';
import { noSwitch } from './promise.ts';
import type { CarrierPromise } from './promise.ts';

const secrets: CarrierPromise = {
  name: 'no answer, record or message has a secret or a whole phone number',
  run: async (kit, judge) => {
    const { has, at } = await declaredOperations(kit);
    const words = kit.subject.secrets.join(' ');
    if (words === '') return { not_declared: 'the account has no secret' };
    const echoes: Readonly<Record<string, Fate>> = {
      'in every text': {
        does: 'alter',
        alter: (text) =>
          changedLeaves(text, (leaf) =>
            typeof leaf === 'string' && /\p{Script=Han}|[a-z] /u.test(leaf)
              ? `${leaf} ${words}`
              : leaf,
          ),
      },
      'in a page': { does: 'answer', ask: false, status: 500, body: `<html>${words}</html>` },
      'in an error': {
        does: 'answer',
        ask: false,
        status: 200,
        body: JSON.stringify({
          ok: false,
          text: words,
          code: 1,
          success: false,
          msg: words,
          apiResultCode: 'A1001',
          apiErrorMsg: words,
        }),
      },
    };
    for (const name of has)
      for (const [where, fate] of Object.entries(echoes)) {
        const key = name === 'create' ? { ...at, order: kit.order() } : at;
        const { result } = await kit.line.during(
          () => fate,
          async () => operations[name]!(kit.carrier, kit.account, key)!,
        );
        const text = JSON.stringify(result);
        for (const secret of kit.subject.secrets)
          judge(!text.includes(secret), `${name}, ${where}: …${around(text, secret)}…`);
        const { call } = result as { call?: unknown };
        const phone = key.order.sender_phone;
        judge(
          !JSON.stringify(call ?? '').includes(phone),
          `${name}: the record has the phone ${phone}`,
        );
      }
    return { seen: `${has.length} operations, ${kit.subject.secrets.length} secrets` };
  },
};

const around = (text: string, secret: string): string => {
  const at = text.indexOf(secret);
  return at === -1 ? '' : text.slice(Math.max(0, at - 60), at + 4);
};

const token: CarrierPromise = {
  name: 'an expired token pauses the account after one call, and no order is lost by it',
  run: async (kit, judge) => {
    if (kit.account.access_token === '') return { not_declared: 'the account has no token' };
    if (kit.switches?.expireToken === undefined) return noSwitch;
    await kit.switches.expireToken();
    for (const name of ['test', 'create'] as const) {
      const { result, calls } = await kit.line.during(
        () => null,
        async () =>
          operations[name]!(kit.carrier, kit.account, { order: kit.order(), delivery_id: '' })!,
      );
      const { outcome, kind, pause } = result as {
        outcome: string;
        kind?: string;
        pause?: boolean;
      };
      judge(
        outcome === 'gateway' && kind === 'token' && pause === true,
        `${name}: ${JSON.stringify(result).slice(0, 200)}`,
      );
      judge(calls.length <= 2, `${name}: ${calls.length} calls with an expired token`);
    }
    return { seen: 'gateway, token, paused; an administrator renews it' };
  },
};

export const secrecy = [secrets, token];
