import { describe, expect, it } from 'vitest';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { customerText } from './customer-text.ts';

const row = {
  delivery_id: 'JDVE00000000001',
  order_id: 'WS2611280000001',
  state_code: stateCode.delivering,
};

describe('a parcel as text for its customer', () => {
  it('the text for a customer contains the waybill number and the state in the user’s language', () => {
    expect(customerText(row, 'zh')).toBe('JDVE00000000001 派送中');
    expect(customerText(row, 'en')).toBe('JDVE00000000001 Out for delivery');
  });

  it('the text for a customer shows the order number as long as the parcel has no waybill number', () => {
    expect(customerText({ ...row, delivery_id: null, state_code: stateCode.draft }, 'zh')).toBe(
      'WS2611280000001 草稿',
    );
  });
});
