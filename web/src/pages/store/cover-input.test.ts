import { describe, expect, it } from 'vitest';
import { emptyForm } from '#parcels/orders/form.ts';
import { coverInput } from './cover-input.ts';

const place = { province: '广东省', city: '深圳市', county: '南山区' };
const form = (phone: string) => ({
  ...emptyForm,
  sender: { ...emptyForm.sender, place, address: '科技园 1 号', phone: '0755-26000000' },
  receiver: { ...emptyForm.receiver, place, address: '科技园 2 号', phone },
});

describe('the question about two places', () => {
  it('coverage is requested with both phones only if the carrier needs phones for pickup windows and both phones are complete', () => {
    const phones = { sender_phone: '0755-26000000', receive_phone: '13900000002' };
    expect(coverInput(form('13900000002'), 'sf')).toMatchObject(phones);
    expect(coverInput(form('1390'), 'sf')).not.toHaveProperty('sender_phone');
    expect(coverInput(form('139****0002'), 'sf')).not.toHaveProperty('receive_phone');
  });

  it('if a carrier needs no phones for pickup windows, coverage is requested from it without phones', () => {
    expect(coverInput(form('13900000002'), 'jdl')).not.toHaveProperty('sender_phone');
  });
});
