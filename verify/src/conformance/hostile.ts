import { strayPath } from './line.ts';
import type { Fate } from './line.ts';
import { declaredOperations, operations } from './operations.ts';
import type { CarrierPromise } from './promise.ts';

const json = { 'content-type': 'application/json' };
const answer = (body: string | Buffer, status = 200, headers: Record<string, string> = json) =>
  ({ does: 'answer', ask: false, status, headers, body }) as const satisfies Fate;

/** The text 系统繁忙 in the encoding GBK. Old gateways send it in this encoding. */
const gbk = Buffer.from([0xcf, 0xb5, 0xcd, 0xb3, 0xb7, 0xb1, 0xc3, 0xa6]);

const hostile: Readonly<Record<string, Fate>> = {
  HTML: answer('<html><body>502</body></html>', 200, { 'content-type': 'text/html' }),
  GBK: answer(gbk, 200, { 'content-type': 'text/html;charset=gbk' }),
  nothing: answer(''),
  null: answer('null'),
  'an empty list': answer('[]'),
  'an empty object': answer('{}'),
  'a text': answer('"ok"'),
  'half an object': answer('{"code":0,"success":true,"data":{'),
  'ten thousand brackets': answer('['.repeat(10_000) + ']'.repeat(10_000)),
  'keys of a prototype': answer(
    '{"__proto__":{"ok":true,"success":true,"code":0},"constructor":1}',
  ),
  'random bytes': answer(Buffer.from(Array.from({ length: 4_096 }, (_, n) => (n * 197) % 256))),
  '10 MB': answer('{"a":"'.padEnd(10_485_760, 'x')),
  'HTTP 500': answer('{"ok":false,"text":"error"}', 500),
  'HTTP 503': answer('', 503),
  'a redirect': answer('', 302, { location: strayPath }),
  'a broken connection': { does: 'drop', ask: false },
};

const bounded: CarrierPromise = {
  name: 'hostile answers are bounded and leave the outcome open',
  run: async (kit, judge) => {
    const { has, at } = await declaredOperations(kit);
    for (const name of has)
      for (const [kind, fate] of Object.entries(hostile)) {
        const since = performance.now();
        const key = name === 'create' ? { ...at, order: kit.order() } : at;
        const { result, calls } = await kit.line.during(
          () => fate,
          async () =>
            operations[name]!(kit.carrier, kit.account, key)!.catch((error: unknown) => ({
              outcome: `thrown: ${String(error)}`,
            })),
        );
        judge(
          ['unknown', 'gateway'].includes(result.outcome),
          `${name}, ${kind}: ${result.outcome}`,
        );
        judge(performance.now() - since < 5_000, `${name}, ${kind}: more than 5 s`);
        judge(!calls.some(({ path }) => path.startsWith(strayPath)), `${name} follows a redirect`);
      }
    return { seen: `${has.length} operations × ${Object.keys(hostile).length} answers` };
  },
};

const slow: CarrierPromise = {
  name: 'a slow carrier is given up in time',
  run: async (kit, judge) => {
    const { has, at } = await declaredOperations(kit);
    const ms = kit.hastyMs + 300;
    for (const name of has) {
      const since = performance.now();
      const key = name === 'create' ? { ...at, order: kit.order() } : at;
      const { result } = await kit.line.during(
        () => ({ does: 'wait', ms }),
        async () => operations[name]!(kit.hasty, kit.account, key)!,
      );
      const took = Math.round(performance.now() - since);
      judge(result.outcome === 'unknown', `${name}: ${result.outcome}`);
      judge(took < kit.hastyMs * 4, `${name}: ${took} ms`);
    }
    return { seen: `${has.length} operations, limit ${kit.hastyMs} ms` };
  },
  slow: true,
};

export const hostileAnswers = [bounded, slow];
