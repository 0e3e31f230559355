import { expect, it } from 'vitest';
import { emptyForm } from '#parcels/orders/form.ts';
import type { OrderForm, Party } from '#parcels/orders/form.ts';
import { isReady, replacedRow, rowFindings } from './batch.ts';

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

it('a row with characters that the carrier refuses is not ordered until they are replaced', () => {
  const confidence = { name: 100, phone: 100, province: 100, city: 100, county: 100, address: 100 };
  const place = { province: '上海市', city: '上海市', county: '浦东新区' };
  const candidate = {
    name: '王五',
    phone: '13900000002',
    extension: '',
    ...place,
    address: '3#楼',
    source: '',
    confidence,
  };
  const row = { candidate, weight: '' };
  expect(rowFindings(form, row)).toMatchObject({
    doubts: [],
    fields: [],
    refused: [{ code: 'carrier_forbidden_characters' }],
  });
  expect([isReady(form, row), isReady(form, replacedRow(row))]).toEqual([false, true]);
});
