import { errors } from '@waystation/contract/base/errors.ts';
import type { CarrierOrder } from '@waystation/server/testing/carrier-kit.ts';
import { changedLeaves } from './json-leaves.ts';
import type { Kit } from './kit.ts';
import { noSwitch } from './promise.ts';
import type { CarrierPromise } from './promise.ts';

const isKnown = (code: string): boolean => Object.hasOwn(errors, code);
/**
 * Returns true if a text can be understood by a person, that is if it is more than a code such as
 * `E_4012`.
 */
const hasWords = (text: string): boolean =>
  /\p{Script=Han}{2}|[A-Za-z]{2,} [A-Za-z]{2,}/u.test(text);

const words: CarrierPromise = {
  name: 'a refused order is refused in words, never by a raw code',
  run: async (kit, judge) => {
    if (kit.switches === null) return noSwitch;
    const seen: string[] = [];
    for (const wordless of [false, true]) {
      await kit.switches.refuse();
      const { result } = await kit.line.during(
        () => ({
          does: 'alter',
          alter: (text) =>
            wordless
              ? changedLeaves(text, (leaf) =>
                  typeof leaf === 'string' && /\p{Script=Han}/u.test(leaf) ? '' : leaf,
                )
              : text,
        }),
        () => kit.carrier.create(kit.account, kit.bodyOf(kit.order())),
      );
      // If the carrier's error contains no text, the outcome of the order may also remain unknown.
      judge(
        result.outcome === 'refused' || (wordless && result.outcome === 'unknown'),
        `${wordless ? 'a refusal without words' : 'a refusal'} is ${result.outcome}`,
      );
      if (result.outcome === 'refused') {
        const { text } = result;
        judge(
          hasWords(text) || (wordless && text === ''),
          `the clerk would read “${text}” (code ${result.code})`,
        );
        seen.push(text || 'no words');
      }
    }
    return { seen: seen.join(' · ') };
  },
};

const reasons: CarrierPromise = {
  name: 'every reason of the adapter is a message of the catalogue, in both languages',
  run: async (kit, judge) => {
    const found = new Set<string>();
    for (const fate of [
      { does: 'drop', ask: false } as const,
      { does: 'answer', ask: false, status: 500, body: '' } as const,
      { does: 'answer', ask: false, status: 200, body: '<html>' } as const,
      { does: 'answer', ask: false, status: 302, headers: { location: '/' }, body: '' } as const,
    ]) {
      const { result } = await kit.line.during(
        () => fate,
        () => kit.carrier.create(kit.account, kit.bodyOf(kit.order())),
      );
      if (result.outcome === 'unknown') found.add(result.reason.code);
    }
    const push = kit.carrier.parsePush('<html>');
    if (push.outcome === 'unreadable') found.add(push.reason.code);
    for (const { code } of Object.values(kit.carrier.problemsOf(broken(kit)))) found.add(code);
    for (const code of found) judge(isKnown(code), `no message for ${code}`);
    return { seen: [...found].toSorted().join(', ') };
  },
};

const long = (count: number): string => '长'.repeat(count);
const broken = (kit: Kit): CarrierOrder => ({
  ...kit.order(),
  sender_name: '',
  receive_name: `${long(400)}😀`,
  sender_phone: 'x',
  receive_address: `<${long(2_000)}>`,
  goods: '',
  package_count: 0,
  weight: 0,
  promise_id: '',
  remark: long(5_000),
  description: long(5_000),
  thr_order_id: long(5_000),
});

/** Orders in which one field has a value that no carrier accepts. */
const absurd: readonly Partial<CarrierOrder>[] = [
  { sender_name: '' },
  { receive_name: '' },
  { sender_name: long(2_000) },
  { receive_address: long(20_000) },
  { receive_phone: 'x' },
  { goods: '' },
  { goods: long(20_000) },
  { remark: long(20_000) },
  { thr_order_id: long(20_000) },
  { order_id: '' },
  { order_id: long(20_000) },
  { package_count: 0 },
  { package_count: 1e9 },
  { weight: 0 },
  { weight: 1e12 },
  { promise_id: '' },
];

const throws = (act: () => unknown): boolean => {
  try {
    act();
    return false;
  } catch {
    return true;
  }
};

const limits: CarrierPromise = {
  name: 'limits and forbidden characters of an order are enforced before sending',
  run: async (kit, judge) => {
    const { carrier, account } = kit;
    const order = kit.order();
    judge(
      Object.keys(carrier.problemsOf(order)).length === 0,
      `a plain order has problems: ${JSON.stringify(carrier.problemsOf(order))}`,
    );
    const declared = absurd.filter(
      (changes) => Object.keys(carrier.problemsOf({ ...order, ...changes })).length > 0,
    );
    if (declared.length === 0) return { not_declared: 'problemsOf names no limit' };
    for (const changes of absurd) {
      const what = Object.entries(changes)
        .map(([name, value]) => `${name} = ${String(value).slice(0, 8)}`)
        .join();
      judge(declared.includes(changes), `${what} is no problem`);
      judge(
        throws(() => carrier.createBody(account, { ...order, ...changes })),
        `${what} is a problem, and is sent nevertheless`,
      );
    }
    const edge = await longest(kit);
    for (const [field, length] of Object.entries(edge)) {
      const changes = { [field]: long(length) };
      const answer = await carrier.create(account, carrier.createBody(account, kit.order(changes)));
      judge(
        answer.outcome === 'accepted',
        `${field} of ${length} characters is no problem, and the carrier answers ${answer.outcome}`,
      );
    }
    return {
      seen: `${declared.length} limits; longest taken: ${Object.entries(edge)
        .map(([field, length]) => `${field} ${length}`)
        .join(', ')}`,
    };
  },
};

/**
 * Returns the length of the longest valid text of each field. A field without a limit is left out.
 */
const longest = async ({ carrier, order }: Kit): Promise<Record<string, number>> => {
  const found: Record<string, number> = {};
  for (const field of ['goods', 'remark', 'receive_name'] as const) {
    const fits = (length: number): boolean =>
      Object.keys(carrier.problemsOf(order({ [field]: long(length) }))).length === 0;
    let [least, most] = [1, 4_096];
    if (!fits(least) || fits(most)) continue;
    while (most - least > 1) {
      const middle = (least + most) >> 1;
      if (fits(middle)) least = middle;
      else most = middle;
    }
    found[field] = least;
  }
  return found;
};

export const refusals = [words, reasons, limits];
