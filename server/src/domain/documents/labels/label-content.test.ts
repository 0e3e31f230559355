import { describe, expect, it } from 'vitest';
import { composeLabel } from './label-content.ts';
import type { LabelInput } from './label-input.ts';
import { sampleLabel } from './sample.ts';

const face = sampleLabel.print_data as Record<string, unknown>;
const open = { ...face, hide_name: 0, hide_phone: 0 };
const compose = (changes: Partial<LabelInput>) => composeLabel({ ...sampleLabel, ...changes });
const only = (changes: Partial<LabelInput>) => compose(changes)[0]!;
const codeOf = (changes: Partial<LabelInput>): string => {
  try {
    compose(changes);
    return 'printed';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('the content of a label', () => {
  it('the labels of a parcel with child waybills have the parent waybill number first, then the child waybill numbers', () => {
    const pages = compose({ package_count: 3, package_ids: ['SF0002', 'SF0003'] });
    expect(pages.map(({ packageNumber }) => packageNumber)).toEqual([
      'JDVE00000000017',
      'SF0002',
      'SF0003',
    ]);
  });

  it('the labels of a parcel with several packages show each package’s number', () => {
    const pages = compose({ package_count: 3 });
    expect(pages.map((page) => page.packageNumber)).toEqual([
      'JDVE00000000017-1-3-',
      'JDVE00000000017-2-3-',
      'JDVE00000000017-3-3-',
    ]);
    expect(pages.map((page) => page.piece)).toEqual(['1/3', '2/3', '3/3']);
  });

  it('a label hides the name or the phone of both sender and receiver if the flag for that field is set in the carrier’s data', () => {
    const both = only({});
    expect([both.receiver.name, both.receiver.phone, both.sender.name, both.sender.phone]).toEqual([
      '赵^_^',
      '139^_^9000',
      '张^_^',
      '138^_^0001',
    ]);
    const name = only({ print_data: { ...open, hide_name: 1 } });
    expect([name.receiver.name, name.receiver.phone]).toEqual(['赵^_^', '13900139000']);
    const phone = only({ print_data: { ...open, hide_phone: 1 } });
    expect([phone.receiver.name, phone.receiver.phone]).toEqual(['赵靐芳', '139^_^9000']);
  });

  it.for([
    [
      'a municipality is named once',
      '北京市',
      '北京市',
      '朝阳区',
      '示例路1号',
      '北京市朝阳区 示例路1号',
    ],
    [
      'an address that repeats its area',
      '上海市',
      '上海市',
      '浦东新区',
      '上海市浦东新区世纪大道1号',
      '上海市浦东新区 世纪大道1号',
    ],
    [
      'an address that repeats its county',
      '广东省',
      '深圳市',
      '南山区',
      '南山区科技园',
      '广东省深圳市南山区 科技园',
    ],
    ['no county', '广东省', '东莞市', '', '莞城1号', '广东省东莞市 莞城1号'],
    ['only an address', '', '', '', '世纪大道1号', '世纪大道1号'],
  ] as const)(
    'the whole address is printed on a label: %s',
    ([, receive_province, receive_city, receive_county, receive_address, shown]) => {
      expect(
        only({ receive_province, receive_city, receive_county, receive_address }).receiver.address,
      ).toBe(shown);
    },
  );

  it.each([
    [0, '未保价'],
    [50_000, '保价 ¥500'],
    [123_456_789, '保价 ¥1,234,567.89'],
    [5, '保价 ¥0.05'],
  ])('an insured value of %i fen is printed as "%s"', (guarantee_value_amount, shown) =>
    expect(only({ guarantee_value_amount }).insured).toBe(shown),
  );

  it.each([
    [1500, '1.5 kg'],
    [1000, '1 kg'],
    [50, '0.05 kg'],
    [12_345, '12.345 kg'],
  ])('a weight of %i grams is printed as "%s"', (weight, shown) =>
    expect(only({ weight }).weight).toBe(shown),
  );

  it('a label shows only the first 50 characters of a remark', () => {
    expect([...only({ remark: '备'.repeat(51) }).remark]).toHaveLength(50);
    expect(only({ remark: '备'.repeat(50) }).remark).toBe('备'.repeat(50));
  });

  it('a label shows the time of the print in Shanghai time, and the ordinal number of the print among the parcel’s prints', () => {
    expect(only({ printed_at: '2026-12-31T16:30:00.000Z', print_count: 2 }).printed).toBe(
      '2027-01-01 00:30  第 2 次打印',
    );
  });

  it('a label shows the parcel’s means of transport if the carrier’s label data do not have one', () => {
    const silent = { ...open, trans_type: undefined };
    expect(only({ print_data: silent, trans_type: 2 }).transport).toBe('航空');
    expect(only({ print_data: silent, trans_type: null }).transport).toBe('');
    expect(only({ print_data: { ...open, trans_type: 3 }, trans_type: 1 }).transport).toBe('铁路');
  });

  it('a label shows the carrier’s name and its service line with phone and website', () => {
    expect(only({}).carrier).toEqual({ name: '京东物流', line: '950616  www.jdl.com' });
    expect(only({ provider: 'sf', delivery_id: 'SF1234567890123' }).carrier.name).toBe('顺丰速运');
  });
});

describe('a label that must not be printed', () => {
  it.each([
    ['has no waybill number', { delivery_id: '' }, 'label_waybill_missing'],
    ['has a waybill number no bar code takes', { delivery_id: '运单17' }, 'label_waybill_invalid'],
    ['has a waybill number with markup', { delivery_id: 'JD"><b>1' }, 'label_waybill_invalid'],
    ['has no pieces', { package_count: 0 }, 'label_pieces_invalid'],
    ['has half a piece', { package_count: 1.5 }, 'label_pieces_invalid'],
    ['has too many pieces', { package_count: 1000 }, 'label_pieces_invalid'],
    [
      'was not sorted by the carrier',
      { print_data: null, pre_sort_result: {} },
      'label_not_sorted',
    ],
  ])('a label is not printed for %s', (_, changes, code) => expect(codeOf(changes)).toBe(code));
});
