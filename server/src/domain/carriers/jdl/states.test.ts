import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messagesOf, parsePush, pushAnswer } from './push.ts';
import { effectOf, messageOf, messageOfCancel } from './states.ts';

const golden = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'golden', `${name}.json`), 'utf8');
const row = (fields: Record<string, unknown>) => ({
  waybillCode: 'JDVE00000000017',
  operationTime: '2026-01-02 10:20:30',
  ...fields,
});

describe('JDL’s codes and our states', () => {
  it.each([
    ['100', '', 'ordered', 100],
    ['390', '200034', 'picking_up', 100],
    ['420', '200001', 'picked_up', 200],
    ['420', '200053', 'picked_up', 200],
    ['430', '200076', 'in_transit', 210],
    ['430', '10032', 'in_transit', 210],
    ['430', '200075', 'in_transit', 210],
    ['440', '11000', 'delivering', 220],
    ['440', '200023', 'undelivered', 220],
    ['', '200003', 'undelivered', 220],
    ['510', '10034', 'signed', 300],
    ['530', '10035', 'rejected', 400],
    ['690', '', 'cancelled', 500],
    ['700', '', 'returning', 410],
    // These states decide the effect, whatever the category is.
    ['', '200052', 'cancelled', 500],
    ['390', '200052', 'cancelled', 500],
    ['', '200020', 'returning', 410],
    ['430', '200020', 'returning', 410],
    // An unlisted state has the meaning of its category; a listed state without a category has its
    // own meaning.
    ['430', '999999', 'in_transit', 210],
    ['', '11000', 'delivering', 220],
    ['999', '10034', 'signed', 300],
  ] as const)('JDL’s code %s / %s is mapped', (category, state, effect, ourState) => {
    expect(effectOf(category, state)).toBe(effect);
    expect(messageOf(row({ category, state }))).toMatchObject({
      effect,
      our_state: ourState,
      alert: null,
    });
  });

  it.each([
    ['999', ''],
    ['', '999999'],
    ['constructor', 'toString'],
  ])(
    'JDL’s unlisted code %s / %s leads to no parcel state and raises an alert',
    (category, state) => {
      expect(messageOf(row({ category, state }))).toMatchObject({
        effect: 'unlisted',
        our_state: null,
        alert: {
          code: 'carrier_code_unknown',
          params: { category: category || '–', state: state || '–' },
        },
      });
    },
  );

  it('messages of the same second are sorted in the order in which they happen in the life of a parcel', () => {
    const life = ['100', '390', '420', '430', '440', '510', '530', '700', '690'].map(
      (category) => messageOf(row({ category }))!.rank,
    );
    expect(life).toEqual(life.toSorted((a, b) => a - b));
    expect(new Set(life).size).toBe(life.length);
  });

  it('a parcel’s weight and fee are requested after JDL reports its pickup, delivery, refusal or return', () => {
    expect(
      ['390', '420', '430', '440', '510', '530', '690', '700'].filter(
        (category) => messageOf(row({ category }))!.needs_facts,
      ),
    ).toEqual(['420', '510', '530', '700']);
  });
});

describe('a message of JDL', () => {
  it('the new waybill of a returning parcel is read from the remark of the message, and is never the parcel’s own waybill', () => {
    const returned = (operationRemark: string, fields = {}) =>
      messageOf(row({ state: '200020', operationRemark, ...fields }))?.return_delivery_id;
    expect(returned('换单打印，新运单号JDVE00000000099，原单JDVE00000000017')).toBe(
      'JDVE00000000099',
    );
    expect(returned('原单JDVE00000000017换单为JD0000000000099。')).toBe('JD0000000000099');
    expect(returned('退回，单号JDVE00000000017')).toBeNull();
    expect(returned('XJDVE000000000991')).toBeNull();
    expect(returned('JDVE00000000099', { state: '10032', category: 430 })).toBeNull();
  });

  it('a carrier message has the cancel reason if JDL reports that the pickup ended', () => {
    expect(messageOf(row({ state: '200052', cancelReason: '客户取消寄件' }))).toMatchObject({
      effect: 'cancelled',
      cancel_reason: '客户取消寄件',
    });
  });

  it('a carrier message has the same hash whether it was pushed or traced, and another hash if one of its facts differs', () => {
    const base = row({ category: 420, state: '200001' });
    const hash = messageOf(base)!.hash;
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(
      messageOf({
        ...base,
        category: '420',
        state: 200001,
        scanType: '-640',
        operationRemark: 'x',
        routeCityName: 'y',
      })!.hash,
    ).toBe(hash);
    for (const change of [
      { waybillCode: 'JDVE00000000018' },
      { category: 430 },
      { state: '200053' },
      { operationTime: '2026-01-02 10:20:31' },
    ])
      expect(messageOf({ ...base, ...change })!.hash).not.toBe(hash);
  });

  it.each([
    null,
    7,
    'x',
    [],
    {},
    { waybillCode: 'JDVE00000000017' },
    row({}),
    row({ category: 420, operationTime: 'soon' }),
    { category: 420, operationTime: '2026-01-02 10:20:30' },
  ])('the value %j is not read as a message of JDL', (bad) => {
    expect(messageOf(bad)).toBeNull();
  });
});

describe('a trace of JDL', () => {
  it('the readable rows of a JDL trace become messages, and the other rows are returned as unreadable', () => {
    const { traceDetails } = (JSON.parse(golden('trace')) as { data: { traceDetails: unknown[] } })
      .data;
    const { messages, unreadable } = messagesOf(traceDetails, 'JDVE00000000017');
    expect(
      messages.map(({ delivery_id, effect, operation_time }) => [
        delivery_id,
        effect,
        operation_time.toISOString(),
      ]),
    ).toEqual([
      ['JDVE00000000017', 'picking_up', '2026-01-01T19:10:00.000Z'],
      ['JDVE00000000017', 'picked_up', '2026-01-02T02:20:30.000Z'],
      ['JDVE00000000017', 'signed', '2026-01-04T03:00:00.000Z'],
    ]);
    expect(unreadable).toHaveLength(1);
  });
});

describe('a push of JDL', () => {
  it('all fields of a message are read from a recorded push of JDL', () => {
    const read = parsePush(golden('push'));
    expect(read).toMatchObject({
      outcome: 'ok',
      unreadable: [],
      messages: [
        {
          delivery_id: 'JDVE00000000017',
          order_id: 'T202601020001',
          category: '420',
          state: '200001',
          effect: 'picked_up',
          our_state: 200,
          title: '揽收完成',
          remark: '…',
          place: '北京市 朝阳区 示例营业部',
          operation_time: new Date('2026-01-02T10:20:30+08:00'),
          needs_facts: true,
          return_delivery_id: null,
          cancel_reason: '',
          alert: null,
        },
      ],
    });
  });

  it('a push of JDL can be a list of messages, and can be JSON inside a JSON text', () => {
    expect(parsePush(`[${golden('push')},${golden('push')}]`)).toMatchObject({
      outcome: 'ok',
      messages: [{}, {}],
    });
    expect(parsePush(JSON.stringify(golden('push')))).toMatchObject({
      outcome: 'ok',
      messages: [{}],
    });
  });

  it('a push that has our order number but no waybill number is read as a message of that order', () => {
    expect(
      parsePush('{"orderId":"T1","category":100,"operationTime":"2026-01-02 10:20:30"}'),
    ).toMatchObject({
      messages: [{ delivery_id: '', order_id: 'T1', effect: 'ordered' }],
    });
  });

  it('a push of JDL that cannot be read is reported as unreadable, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) =>
        ['ok', 'unreadable'].includes(parsePush(body).outcome),
      ),
    );
    for (const bad of ['', '{', '[]', '{}', '{"waybillCode":"JDVE00000000017"}'])
      expect(parsePush(bad)).toEqual({
        outcome: 'unreadable',
        reason: { code: 'carrier_push_unreadable' },
      });
  });

  it('the answer to a push from JDL has JDL’s field names, with code 200 for an accepted push and code 500 for a refused push', () => {
    expect(pushAnswer(true)).toEqual({ code: '200', msg: 'ok' });
    expect(pushAnswer(false)).toMatchObject({ code: '500' });
  });
});

describe('the answer to our own cancel', () => {
  const at = new Date('2026-01-02T10:00:00Z');
  it.each([
    ['cancelled', 'cancelled', 500, false],
    ['intercepted', 'returning', 410, true],
    ['intercepting', 'intercepting', null, false],
    ['cancel_failed', 'cancel_failed', null, false],
    ['intercept_failed', 'cancel_failed', null, false],
  ] as const)(
    'the answer %s to our own cancel becomes a message of the parcel’s history',
    (result, effect, our_state, needs_facts) => {
      expect(
        messageOfCancel({ delivery_id: 'JDVE00000000017' }, { result, text: '已受理' }, at),
      ).toMatchObject({
        delivery_id: 'JDVE00000000017',
        effect,
        our_state,
        needs_facts,
        remark: '已受理',
        operation_time: at,
        state: result,
      });
    },
  );
});
