import { foldMessages } from '@waystation/server/testing/carrier-kit.ts';
import type { CarrierMessage } from '@waystation/server/testing/carrier-kit.ts';
import { leavesIn, withEmpty } from './json-leaves.ts';
import type { Kit } from './kit.ts';
import type { CarrierPromise } from './promise.ts';

const noPush = { not_tried: 'no recorded push (golden/push*.json) and no fault switch' } as const;

/**
 * Orders a parcel and lets the carrier pick it up. Returns the carrier's pushes and the trace of
 * the parcel.
 */
const pushed = async (kit: Kit) => {
  const { order, answer } = await kit.accepted();
  const before = kit.line.pushes.length;
  let trace: readonly CarrierMessage[] = [];
  if (kit.switches !== null) {
    await kit.switches.pushesTo(kit.line.pushUrl);
    await kit.carrier.subscribe(kit.account, answer, order.receive_phone);
    await kit.switches.pickUp(answer.delivery_id);
    await kit.switches.settle();
    const traced = await kit.carrier.trace(kit.account, answer);
    if (traced.outcome === 'ok') trace = traced.value.messages;
  }
  const bodies = kit.line.pushes.slice(before);
  return { answer, bodies, samples: [...kit.subject.pushes, ...bodies], trace };
};

const messagesOf = (kit: Kit, bodies: readonly string[]): CarrierMessage[] =>
  bodies.flatMap((body) => {
    const read = kit.carrier.parsePush(body);
    return read.outcome === 'ok' ? read.messages : [];
  });

/**
 * Describes messages in a form in which two histories can be compared. It contains each message
 * once, by its hash, and the state that follows from all messages.
 */
const historyOf = (messages: readonly CarrierMessage[]): string => {
  const unique = [...new Map(messages.map((message) => [message.hash, message])).values()];
  const { state_code, picked_up_at, signed_at, cancelled_at } = foldMessages(unique);
  return JSON.stringify([
    unique.map(({ hash }) => hash).toSorted(),
    state_code,
    picked_up_at,
    signed_at,
    cancelled_at,
  ]);
};

const oneHistory: CarrierPromise = {
  name: 'repeated and shuffled pushes fold to one history',
  run: async (kit, judge) => {
    const { samples, answer, bodies, trace } = await pushed(kit);
    if (samples.length === 0) return noPush;
    const once = historyOf(messagesOf(kit, samples));
    judge(messagesOf(kit, samples).length > 0, 'no push has a message');
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const order of [
      [...samples, ...samples],
      samples.toReversed(),
      [...samples.slice(1), ...samples, samples[0]!],
    ])
      judge(historyOf(messagesOf(kit, order)) === once, `${order.length} pushes fold otherwise`);
    const own = messagesOf(kit, bodies).filter(
      ({ delivery_id }) => delivery_id === answer.delivery_id,
    );
    const traced = new Set(trace.map(({ hash }) => hash));
    if (trace.length > 0)
      judge(
        own.some(({ hash }) => traced.has(hash)),
        'no message is the same by push and by trace',
      );
    return {
      seen: `${samples.length} pushes, ${own.filter(({ hash }) => traced.has(hash)).length} messages also in the trace`,
    };
  },
};

const read = (kit: Kit, body: string): ReturnType<Kit['carrier']['parsePush']> | string => {
  try {
    return kit.carrier.parsePush(body);
  } catch (error) {
    return String(error);
  }
};

const emptyFields: CarrierPromise = {
  name: 'a push with an empty field is read or asked for again, and breaks nothing',
  run: async (kit, judge) => {
    const { samples } = await pushed(kit);
    if (samples.length === 0) return noPush;
    let tried = 0;
    for (const sample of samples.slice(0, 8))
      for (let at = 0; at < Math.min(leavesIn(sample), 60); at += 1) {
        const result = read(kit, withEmpty(sample, at));
        tried += 1;
        judge(typeof result !== 'string', `leaf ${at} empty: thrown ${String(result)}`);
        if (typeof result === 'string' || result.outcome !== 'ok') continue;
        for (const { operation_time, hash, delivery_id, order_id } of result.messages)
          judge(
            !Number.isNaN(operation_time.getTime()) && hash !== '' && delivery_id + order_id !== '',
            `leaf ${at} empty: a message without time, hash, or any number of a parcel`,
          );
      }
    return { seen: `${tried} pushes with an empty field` };
  },
};

/**
 * Makes a push of two parcels from a push of one parcel. Returns null if the format of the push is
 * unknown.
 */
const doubled = (text: string, waybill: string, other: string): string | null => {
  const twice = (value: unknown): unknown[] => [
    value,
    JSON.parse(JSON.stringify(value).replaceAll(waybill, other)) as unknown,
  ];
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.length === 1 ? twice(value[0]) : value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item)]));
  };
  try {
    const value: unknown = JSON.parse(text);
    const walked = walk(value);
    return JSON.stringify(JSON.stringify(walked) === JSON.stringify(value) ? twice(value) : walked);
  } catch {
    return null;
  }
};

const severalParcels: CarrierPromise = {
  name: 'a push of several parcels loses none of them',
  run: async (kit, judge) => {
    const { samples } = await pushed(kit);
    if (samples.length === 0) return noPush;
    let tried = 0;
    for (const sample of samples.slice(0, 8)) {
      const [first] = messagesOf(kit, [sample]);
      if (first === undefined) continue;
      const other = first.delivery_id.replace(/\d(?=\D*$)/, (digit) =>
        String((Number(digit) + 1) % 10),
      );
      const both = doubled(sample, first.delivery_id, other);
      if (both === null) continue;
      tried += 1;
      const result = read(kit, both);
      if (typeof result === 'string' || result.outcome !== 'ok') {
        judge(typeof result !== 'string', `two parcels: thrown ${String(result)}`);
        continue;
      }
      const waybills = new Set(result.messages.map(({ delivery_id }) => delivery_id));
      judge(
        waybills.has(other) || result.unreadable.length > 0,
        `a push of ${first.delivery_id} and ${other} has messages of ${[...waybills].join(', ')}`,
      );
    }
    return { seen: `${tried} pushes of two parcels` };
  },
};

const foreign: Readonly<Record<string, string>> = {
  HTML: '<html>',
  nothing: '',
  null: 'null',
  'a list of nothing': '[null,1,"x",[]]',
  brackets: '['.repeat(10_000),
  'a form': 'content=%7B%22a%22%3A1%7D',
  'keys of a prototype': '{"__proto__":{"waybill":"X"},"constructor":{"prototype":1}}',
};

const hints: CarrierPromise = {
  name: 'a forged or unreadable push is a hint at most, and is answered in the carrier’s form',
  run: async (kit, judge) => {
    for (const [name, body] of Object.entries(foreign)) {
      const result = read(kit, body);
      judge(
        typeof result !== 'string' && result.outcome === 'unreadable',
        `${name}: ${typeof result === 'string' ? result : result.outcome}`,
      );
    }
    const answers = [true, false].map((taken) => JSON.stringify(kit.carrier.pushAnswer(taken)));
    judge(answers[0] !== answers[1], 'a push that failed is answered like one that was taken');
    // The charge of a parcel must use the weight and fee that the product requests from the
    // carrier. It must never use the weight and fee in a push.
    const { samples } = await pushed(kit);
    for (const message of messagesOf(kit, samples))
      judge(
        message.effect !== 'picked_up' || message.needs_facts,
        'a pickup is believed without asking for weight and fee',
      );
    return { seen: `${Object.keys(foreign).length} bodies; the port has no signed pushes` };
  },
};

export const pushes = [oneHistory, emptyFields, severalParcels, hints];
