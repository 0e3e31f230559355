import { beforeAll, expect, test } from 'vitest';
import { loadEnglishErrors } from '#base/error-text.ts';
import { stateCodes } from '@waystation/contract/parcels/express.ts';
import type { StateCode } from '@waystation/contract/parcels/express.ts';
import {
  cancelBlocked,
  cancelEffect,
  isEditable,
  isMoving,
  missingAmount,
  numberOf,
  printBlocked,
  reasonWords,
  weighBlocked,
} from './parcel-rules.ts';

beforeAll(loadEnglishErrors);

const row = (
  state_code: StateCode,
  flags: {
    intercepting?: 0 | 1;
    canceling?: 0 | 1;
    need_retry?: 0 | 1;
    modifying?: 0 | 1;
    allow_print?: 0 | 1;
  } = {},
) => ({
  state_code,
  intercepting: 0 as const,
  canceling: 0 as const,
  modifying: 0 as const,
  confirming: null,
  need_retry: 0 as const,
  allow_print: 1 as const,
  ...flags,
});
const codesWhere = (allowed: (code: StateCode) => boolean): number[] => stateCodes.filter(allowed);

test('a parcel can be cancelled until it is signed for, returning or cancelled', () => {
  expect(codesWhere((code) => cancelBlocked(row(code), 'zh') === null)).toEqual([
    0, 10, 20, 90, 100, 200, 210, 220, 400,
  ]);
  expect(cancelBlocked(row(300), 'zh')).toBe('“已签收”的运单不能取消');
  expect(cancelBlocked(row(300), 'en')).toBe('A parcel in state “Signed for” cannot be cancelled');
});

test('a parcel whose cancellation is in progress cannot be cancelled again', () => {
  expect(cancelBlocked(row(210, { intercepting: 1 }), 'zh')).toMatch(/正在拦截/);
  expect(cancelBlocked(row(100, { canceling: 1 }), 'zh')).not.toBeNull();
});

test('the effect of cancelling a parcel depends on the parcel’s state', () => {
  expect(
    [0, 10, 90].map((code) => cancelEffect({ state_code: code as StateCode, state_reason: null })),
  ).toEqual(['unsent', 'unsent', 'unsent']);
  expect(cancelEffect({ state_code: 20, state_reason: null })).toBe('ordering');
  const reasons = ['order_repeat_refused', 'order_stored_without_number', 'waybill_conflict'];
  expect(reasons.map((code) => cancelEffect({ state_code: 20, state_reason: { code } }))).toEqual([
    'undecided',
    'undecided',
    'ordering',
  ]);
  expect(cancelEffect({ state_code: 100, state_reason: null })).toBe('before_pickup');
  expect(
    [200, 210, 220, 400].map((code) =>
      cancelEffect({ state_code: code as StateCode, state_reason: null }),
    ),
  ).toEqual(['intercept', 'intercept', 'intercept', 'intercept']);
});

test('a label can be printed after the carrier’s acceptance and before delivery, but not while the parcel awaits manual pre-sorting', () => {
  expect(codesWhere((code) => printBlocked(row(code), 'zh') === null)).toEqual([
    100, 200, 210, 220, 400,
  ]);
  expect(printBlocked(row(100, { need_retry: 1 }), 'zh')).toMatch(/人工预分拣/);
});

test('a parcel can be weighed or edited until pickup, but not edited while the carrier has not answered a cancellation or change', () => {
  expect(codesWhere((code) => weighBlocked(row(code), 'zh') === null)).toEqual([0, 10, 90, 100]);
  expect(codesWhere((code) => isEditable(row(code)))).toEqual([0, 10, 90, 100]);
  expect(
    [{ canceling: 1 }, { intercepting: 1 }, { modifying: 1 }].map((flags) =>
      isEditable(row(100, flags as { canceling: 1 })),
    ),
  ).toEqual([false, false, false]);
});

test('a shown parcel is reloaded as long as the carrier or a top-up can still change its state', () => {
  expect(codesWhere((code) => isMoving(row(code)))).toEqual([10, 20, 100, 200, 210, 220, 400, 410]);
});

test('a state reason from the product is shown in the user’s language, and a state reason from the carrier is shown unchanged', () => {
  const reason = { code: 'balance_too_low', params: { missing_amount: 320 } };
  expect(reasonWords({ state_reason: reason, state_remark: '余额不足' }, 'en')).toMatch(
    /short by ¥3.20/,
  );
  expect(reasonWords({ state_reason: null, state_remark: '收件人电话无法接通' }, 'en')).toBe(
    '收件人电话无法接通',
  );
  expect(missingAmount({ state_code: 10, state_reason: reason })).toBe(320);
  expect(missingAmount({ state_code: 20, state_reason: reason })).toBeNull();
  expect(missingAmount({ state_code: 10, state_reason: null })).toBeNull();
});

test('a parcel is named by its waybill number, or by its order number if it has no waybill number yet', () => {
  expect(numberOf({ delivery_id: 'JDVE1', order_id: 'WS1' })).toBe('JDVE1');
  expect(numberOf({ delivery_id: null, order_id: 'WS1' })).toBe('WS1');
});
