import { expect, it } from 'vitest';
import { emptyForm } from '#parcels/orders/form.ts';
import type { OrderForm, Party } from '#parcels/orders/form.ts';
import { isReady, replacedRow, rowFindings, sampleForm } from './batch.ts';

const sender: Party = {
  contact_id: null,
  name: '甲',
  phone: '13900000001',
  place: { province: '上海市', city: '上海市', county: '浦东新区' },
  address: '世纪大道100号',
};
const form: OrderForm = {
  ...emptyForm,
  sender,
  goods: '文件',
  weight: '4.3',
  promise_id: 'ed-m-0001',
};

const confidence = { name: 100, phone: 100, province: 100, city: 100, county: 100, address: 100 };
const candidate = {
  name: '王五',
  phone: '13900000002',
  extension: '',
  province: '上海市',
  city: '上海市',
  county: '浦东新区',
  address: '3#楼',
  source: '',
  confidence,
};

it('the pickup windows are asked with the first person who can be ordered, else with the first', () => {
  const wrong = { candidate, weight: '' };
  const right = { candidate: { ...candidate, address: '世纪大道3号' }, weight: '2' };
  expect(sampleForm(form, [wrong, right])).toMatchObject({
    receiver: { address: '世纪大道3号' },
    sender,
    weight: '2',
  });
  expect(sampleForm(form, [wrong]).receiver.address).toBe('3#楼');
  expect(sampleForm(form, [])).toBe(form);
});

it('a row with characters that the carrier refuses is not ordered until they are replaced', () => {
  const row = { candidate, weight: '' };
  expect(rowFindings(form, row)).toMatchObject({
    doubts: [],
    fields: [],
    refused: [{ code: 'carrier_forbidden_characters' }],
  });
  expect([isReady(form, row), isReady(form, replacedRow(row))]).toEqual([false, true]);
});
