import { describe, expect, it } from 'vitest';
import {
  doubtsOf,
  emptyForm,
  firstField,
  isSamePerson,
  nextForm,
  nobody,
  problemsOf,
  receiverFrom,
  restored,
  senderUnder,
} from './form.ts';
import { carrierProblems, labelWords, replacedParty } from './carrier-text.ts';
import { draftInput, formErrors, orderInput, quoteInput } from './inputs.ts';
import type { Options, OrderForm, Party } from './form.ts';

const party = (name: string): Party => ({
  contact_id: null,
  name,
  phone: '13900000001',
  place: { province: '上海市', city: '上海市', county: '浦东新区' },
  address: '世纪大道100号',
});
const whole: OrderForm = {
  ...emptyForm,
  sender: party('甲'),
  receiver: party('乙'),
  goods: '文件',
  weight: '4.3',
  promise_id: 'ed-m-0001',
  insured: '500',
};

describe('the order form', () => {
  it('the order form is sent in grams, fen and centimetres', () => {
    expect(problemsOf(whole)).toEqual({});
    expect(orderInput({ ...whole, length: '３０', station_id: 7 }, 1_970)).toMatchObject({
      station_id: 7,
      weight: 4_300,
      guarantee_value_amount: 50_000,
      length: 30,
      width: 0,
      package_count: 1,
      receive_name: '乙',
      expected_amount: 1_970,
    });
  });
  it('the order form reports every missing field, and not only the first', () => {
    expect(problemsOf(emptyForm)).toEqual({
      'sender.name': 'required',
      'sender.phone': 'required',
      'sender.address': 'required',
      'sender.place': 'place',
      'receiver.name': 'required',
      'receiver.phone': 'required',
      'receiver.address': 'required',
      'receiver.place': 'place',
      goods: 'required',
      promise_id: 'required',
      weight: 'required',
    });
  });
  it.each([['0'], ['-1'], ['x'], ['1.2345']])('the order form refuses a weight of %s', (weight) =>
    expect(problemsOf({ ...whole, weight })).toEqual({ weight: 'weight' }),
  );
  it.each([['0'], ['51'], ['1.5'], ['']])('the order form refuses %s pieces', (package_count) =>
    expect(problemsOf({ ...whole, package_count })).toEqual({ package_count: 'pieces' }),
  );
  it.each([
    [{ length: '30', width: '20', height: '' }, { height: 'size_missing' }],
    [
      { length: '', width: '', height: '10' },
      { length: 'size_missing', width: 'size_missing' },
    ],
    [{ length: '30', width: '20', height: '10' }, {}],
    [{ length: '', width: '', height: '' }, {}],
  ] as const)('the order form with the sizes %j has the problems %j', (typed, problems) =>
    expect(problemsOf({ ...whole, ...typed })).toEqual(problems),
  );
  it('the order form requests a quote only if both addresses and the weight are known', () => {
    expect(quoteInput(whole)).toMatchObject({
      sender_city: '上海市',
      weight: 4_300,
      guarantee_value_amount: 50_000,
    });
    expect(quoteInput({ ...whole, weight: '' })).toBeNull();
    expect(
      quoteInput({ ...whole, receiver: { ...whole.receiver, place: emptyForm.receiver.place } }),
    ).toBeNull();
  });
  it('the form for the next order keeps the sender and the pinned fields of the last order', () => {
    expect(nextForm({ ...whole, remark: '轻放' }, ['goods'])).toEqual({
      ...emptyForm,
      sender: whole.sender,
      promise_id: 'ed-m-0001',
      goods: '文件',
    });
  });
  it('a receiver who was typed before the response to the last order arrived is kept in the form for the next order', () => {
    const next = { ...whole, receiver: party('丙'), remark: '轻放' };
    expect(nextForm(next, ['goods'], whole)).toEqual({
      ...nextForm(whole, ['goods']),
      receiver: party('丙'),
      remark: '轻放',
    });
    const mended = {
      ...whole,
      receiver: { ...whole.receiver, phone: '139 0000 0001', address: '世纪大道101号' },
    };
    expect(nextForm(mended, [], whole)).toEqual(nextForm(whole, []));
    expect(nextForm({ ...whole, receiver: nobody }, [], whole)).toEqual(nextForm(whole, []));
  });
  it('the order form can be saved as a draft even if numbers are missing', () => {
    expect(draftInput({ ...emptyForm, weight: 'x' })).toMatchObject({
      draft: 1,
      weight: 0,
      package_count: 1,
    });
  });
  it('a stored order form is read back unchanged, and a stored value of another shape is read as an empty form', () => {
    expect(restored(JSON.parse(JSON.stringify(whole)) as OrderForm)).toEqual(whole);
    expect(restored({ goods: 7, sender: 'x', station_id: '1' } as never)).toEqual(emptyForm);
    expect(restored(null)).toEqual(emptyForm);
  });
  it('if the server refuses a value, the error is shown at the field of the order form that contains the value', () => {
    expect(formErrors({ receive_county: 'a', guarantee_value_amount: 'b', goods: 'c' })).toEqual({
      'receiver.place': 'a',
      insured: 'b',
      goods: 'c',
    });
  });
});

describe('the station’s sender', () => {
  const options = {
    station: {
      sender_name: '站',
      sender_phone: '13800000001',
      province: '广东省',
      city: '深圳市',
      county: '南山区',
      address: '科技路2号',
    },
  } as Options;
  it('the station’s default sender fills empty fields, and keeps fields that were typed before the default was loaded', () => {
    expect(senderUnder({ ...nobody, name: '甲', address: '世纪大道100号' }, options)).toEqual({
      contact_id: null,
      name: '甲',
      phone: '13800000001',
      place: { province: '广东省', city: '深圳市', county: '南山区' },
      address: '世纪大道100号',
    });
  });
});

describe('a pasted address', () => {
  const candidate = {
    name: '张三',
    phone: '13900000001',
    extension: '1234',
    source: '',
    province: '上海市',
    city: '上海市',
    county: '浦东新区',
    address: '世纪大道100号',
    confidence: { name: 100, phone: 100, province: 100, city: 100, county: 40, address: 90 },
  };
  it('a pasted address fills the receiver fields, and the extension follows the phone number after a hyphen', () => {
    expect(receiverFrom(candidate)).toMatchObject({
      name: '张三',
      phone: '13900000001-1234',
      place: { county: '浦东新区' },
    });
  });
  it('the uncertain parts of a pasted address are marked', () =>
    expect(doubtsOf(candidate)).toEqual({ place: true }));
});

describe('what the carrier refuses of an order form', () => {
  const bad = {
    ...whole,
    receiver: { ...party('小明😀'), contact_id: 7, address: '3#楼502' },
    remark: 'x'.repeat(501),
  };
  it('a text that the carrier refuses, for example because of its length, is reported at its field', () => {
    expect(carrierProblems(whole)).toEqual({});
    expect(Object.keys(carrierProblems(bad)).toSorted()).toEqual([
      'receiver.address',
      'receiver.name',
      'remark',
    ]);
  });
  it('if characters of a person that the carrier refuses are replaced, the person is no longer linked to the address book', () => {
    expect(replacedParty(bad.receiver)).toEqual({
      ...party('小明'),
      contact_id: null,
      address: '3号楼502',
    });
    expect(replacedParty(whole.receiver)).toBe(whole.receiver);
  });
});

describe('several wrong fields', () => {
  it('if several fields of the order form are wrong, the wrong field that comes first on the page is focused', () => {
    expect(firstField(['weight', 'sender.name', 'receiver.place'])).toBe('receiver.place');
    expect(firstField(['remark'])).toBe('remark');
    expect(firstField([])).toBeUndefined();
  });
  it('an error about a phone is shown for the person with the same name and phone, even if spaces in the phone differ', () => {
    expect(
      isSamePerson(
        { ...nobody, name: '张三 ', phone: '138 0000 0001' },
        { ...nobody, name: '张三', phone: '13800000001' },
      ),
    ).toBe(true);
    expect(isSamePerson({ ...nobody, name: '张三' }, { ...nobody, name: '李四' })).toBe(false);
  });
});

describe('what a label cannot print', () => {
  it('the order form warns about characters that the label cannot print, and refuses a text without any printable character', () => {
    expect(labelWords('世纪大道😀100号', 'zh')).toBe('面单无法打印以下字符，将略去：😀');
    expect(labelWords('轻放\u200b𠮷', 'zh')).toBeUndefined();
    expect(
      carrierProblems({
        ...whole,
        receiver: { ...party('小明'), address: '世纪大道😀100号' },
        remark: '😀',
      }),
    ).toEqual({});
    expect(carrierProblems({ ...whole, receiver: { ...party('محمد') } })).toMatchObject({
      'receiver.name': { code: 'label_nothing_printable' },
    });
    expect(carrierProblems({ ...whole, receiver: { ...party('张\u200b三') } })).toEqual({});
  });
});
