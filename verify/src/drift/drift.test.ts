import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKit } from '#conformance/kit.ts';
import { simulatedSubject } from '#conformance/subjects.ts';
import { driftsOf, probe } from './probe.ts';
import type { Answer } from './probe.ts';
import { driftOf, shapeOf } from './shape.ts';
import { readShapes } from './shapes-file.ts';

/**
 * Simulates several days and returns the answers of the carrier to all operations of the adapter.
 */
const daysOf = async (name: 'jdl' | 'sf', days: number): Promise<Answer[]> => {
  const { subject, stop } = await simulatedSubject(name);
  const kit = await openKit(subject);
  const answers: Answer[] = [];
  try {
    const parcels: Parameters<typeof probe>[1] = [];
    for (let day = 0; day < days; day += 1) {
      answers.push(...(await probe(kit, parcels, day)));
      await kit.switches!.nextDay();
    }
    return answers;
  } finally {
    await kit.close();
    await stop();
  }
};

const answers: Record<'jdl' | 'sf', Answer[]> = { jdl: [], sf: [] };
beforeAll(async () => {
  answers.jdl = await daysOf('jdl', 30);
  answers.sf = await daysOf('sf', 30);
});
afterAll(() => Object.assign(answers, { jdl: [], sf: [] }));

type Json = Record<string, unknown>;
/** Changes the inner object of SF's answer. The answer contains this object as a JSON text. */
const inner = (json: Json, change: (data: Json) => void): void => {
  const data = JSON.parse(String(json['apiResultData'])) as Json;
  change(data['msgData'] as Json);
  json['apiResultData'] = JSON.stringify(data);
};
const dataOf = (json: Json): Json => json['data'] as Json;
const rowsOf = (json: Json): Json[] => dataOf(json)['traceDetails'] as Json[];
const parts = {
  jdl: { create: 'create accepted 1', trace: 'trace ok 1' },
  sf: { create: 'create accepted EXP_RECE_CREATE_ORDER' },
};

type Plant = [string, 'jdl' | 'sf', string, (json: Json) => void, string[]];
const planted: Plant[] = [
  [
    'a new field',
    'jdl',
    parts.jdl.create,
    (json) => void (dataOf(json)['carbon'] = 1),
    ['new $.data.carbon'],
  ],
  [
    'a new field of the envelope',
    'jdl',
    parts.jdl.create,
    (json) => void (json['sign'] = 'x'),
    ['new $.sign'],
  ],
  [
    'a missing field',
    'jdl',
    parts.jdl.create,
    (json) => void delete dataOf(json)['waybillCode'],
    ['missing $.data.waybillCode'],
  ],
  [
    'a renamed field',
    'jdl',
    parts.jdl.create,
    (json) => {
      dataOf(json)['waybillNo'] = dataOf(json)['waybillCode'];
      delete dataOf(json)['waybillCode'];
    },
    ['missing $.data.waybillCode', 'new $.data.waybillNo'],
  ],
  [
    'a field that is null now',
    'jdl',
    parts.jdl.create,
    (json) => void (dataOf(json)['freightPre'] = null),
    ['missing $.data.freightPre'],
  ],
  [
    'a number that is text now',
    'jdl',
    parts.jdl.create,
    (json) => void (json['code'] = '0'),
    ['retyped $.code'],
  ],
  [
    'a flag that is text now',
    'jdl',
    parts.jdl.create,
    (json) => void (dataOf(json)['needRetry'] = 'false'),
    ['retyped $.data.needRetry'],
  ],
  [
    'an object that is text now',
    'jdl',
    parts.jdl.create,
    (json) => void (dataOf(json)['presortResult'] = 'none'),
    ['retyped $.data.presortResult'],
  ],
  [
    'an object that is a list now',
    'jdl',
    parts.jdl.create,
    (json) => void (dataOf(json)['presortResult'] = []),
    ['retyped $.data.presortResult'],
  ],
  [
    'a time that is a number now, in one row of a list',
    'jdl',
    parts.jdl.trace,
    (json) => void (rowsOf(json)[0]!['operationTime'] = 1_767_348_000_000),
    ['retyped $.data.traceDetails[].operationTime'],
  ],
  [
    'a new field in one row of a list',
    'jdl',
    parts.jdl.trace,
    (json) => void (rowsOf(json)[0]!['lat'] = 22.5),
    ['new $.data.traceDetails[].lat'],
  ],
  [
    'a row that is text now',
    'jdl',
    parts.jdl.trace,
    (json) => void (rowsOf(json)[0] = 'x' as never),
    ['retyped $.data.traceDetails[]'],
  ],
  [
    'a list that is an object now, in JSON within a text',
    'sf',
    parts.sf.create,
    (json) => inner(json, (data) => void (data['waybillNoInfoList'] = {})),
    ['retyped $.apiResultData.msgData.waybillNoInfoList'],
  ],
  [
    'a missing field in JSON within a text',
    'sf',
    parts.sf.create,
    (json) => inner(json, (data) => void delete data['filterResult']),
    ['missing $.apiResultData.msgData.filterResult'],
  ],
];

describe('the drift of a carrier’s answers', () => {
  it.each(['jdl', 'sf'] as const)(
    'thirty simulated days of %s have no drift from the recorded answers',
    (name) => {
      expect(answers[name].length).toBeGreaterThan(1_000);
      expect(driftsOf(readShapes(name), answers[name])).toEqual([]);
      const keys = new Set(answers[name].map(({ key }) => key));
      expect(Object.keys(readShapes(name)).filter((key) => !keys.has(key))).toEqual([]);
    },
  );

  it.each(planted)(
    'a planted change in a carrier’s answers is found and is the only reported drift: %s (%s)',
    (...[, name, key, change, expected]) => {
      const answer = answers[name].find((one) => one.key === key)!;
      const json = JSON.parse(answer.text) as Json;
      change(json);
      const found = driftsOf(readShapes(name), [{ key, text: JSON.stringify(json) }]);
      expect(found.map(({ kind, path }) => `${kind} ${path}`).toSorted()).toEqual(expected);
    },
  );

  it('the drift test plants at least twelve kinds of changes in a carrier’s answers', () => {
    expect(planted.length).toBeGreaterThanOrEqual(12);
  });

  it('a field that is missing or null in some recorded answers is no drift; an answer that is not JSON is reported as missing', () => {
    const shape = shapeOf(['{"a":1,"b":"x","c":[]}', '{"a":null,"c":[{"d":1},{}]}']);
    expect(driftOf(shape, '{"a":2,"c":[{}]}')).toEqual([]);
    expect(driftOf(shape, '{"b":null,"c":[]}')).toEqual([]);
    expect(driftOf(shape, '{"a":"2"}')).toEqual([
      { kind: 'retyped', path: '$.a', now: 'text' },
      { kind: 'missing', path: '$.c', now: '' },
    ]);
    expect(driftOf(shape, '<html>')).toEqual([{ kind: 'missing', path: '$', now: '' }]);
  });
});
