import { describe, expect, it } from 'vitest';
import { contactQuery, isNews, isSamePerson } from './contacts.ts';
import { nobody } from '#parcels/orders/form.ts';

describe('the address book beside the order form', () => {
  it('the address book beside the order form is searched from four digits of a phone number or two characters of a name', () => {
    expect(
      ['138', '1380', '１３８０', '0755-2', '王', '王小', ' Li ', ''].map(contactQuery),
    ).toEqual(['', '1380', '1380', '07552', '', '王小', 'Li', '']);
  });

  it('the order form offers to store a complete person who is not from the address book', () => {
    const person = {
      ...nobody,
      name: '王小明',
      phone: '13800000001',
      place: { province: '上海市', city: '上海市', county: '' },
      address: '世纪大道100号',
    };
    expect(
      [nobody, person, { ...person, contact_id: 3 }, { ...person, address: ' ' }].map(isNews),
    ).toEqual([false, true, false, false]);
  });

  it('a stored contact is linked to the order form if the form contains the same person and place', () => {
    const place = { province: '上海市', city: '上海市', county: '浦东新区' };
    const person = { ...nobody, name: '王小明', phone: '13800000001', place, address: '一路1号' };
    const others = [
      { ...person, place: { ...place } },
      { ...person, name: '王小' },
      { ...person, phone: '13800000002' },
      { ...person, place: { ...place, county: '黄浦区' } },
      { ...person, address: '一路2号' },
    ];
    expect(others.map((other) => isSamePerson(other, person))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
