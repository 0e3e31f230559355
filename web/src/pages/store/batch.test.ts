import { afterEach, expect, it, vi } from 'vitest';
import { setStorageKey } from '#base/sealed.ts';
import { useOrders } from '#parcels/orders/entries.ts';
import { mostHeld } from '#parcels/orders/entry.ts';
import { emptyForm } from '#parcels/orders/form.ts';
import type { OrderForm, Party } from '#parcels/orders/form.ts';
import type { Quotes } from '#parcels/orders/price.ts';
import {
  dueOfRows,
  isReady,
  orderRows,
  peopleByOffer,
  pricedInputs,
  replacedRow,
  rowFindings,
  sampleForm,
} from './batch.ts';
import type { BatchRow, RowAnswers } from './batch.ts';
import { isOwnChoice, offersOfList, withoutRow } from './list-offers.ts';

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

setStorageKey(3, '3'.repeat(64));
afterEach(() => vi.unstubAllGlobals());

const row = (name: string, changes: Partial<BatchRow['candidate']> = {}): BatchRow => ({
  candidate: {
    name,
    phone: '13900000002',
    extension: '',
    province: '上海市',
    city: '上海市',
    county: '浦东新区',
    address: '世纪大道1号',
    source: '',
    confidence: { name: 100, phone: 100, province: 100, city: 100, county: 100, address: 100 },
    ...changes,
  },
  weight: '',
});
const quotes = (provider: string, promise_id: string): Quotes =>
  ({
    quotes: [{ provider, promise_id, selectable: 1, proposed: 1, post_amount: 900 }],
    choice: null,
  }) as unknown as Quotes;

const answered = (offered: Quotes | undefined): RowAnswers => ({
  quotesOf: () => offered,
  troubleOf: () => null,
});

it('each pasted row is ordered with the carrier and product shown on that row; a row without an offer is not ordered and stays in the list', () => {
  useOrders.setState({ user: 3, entries: [] });
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const unchosen = { ...form, promise_id: '', provider: '' };
  const [first, second, unpriced] = [row('甲一'), row('乙二'), row('丙三')];
  const shown = new Map([
    [first, quotes('sf', '2')],
    [second, quotes('jdl', 'ed-m-0001')],
  ]);
  const left = orderRows(unchosen, [first, second, unpriced], false, {
    quotesOf: (of) => shown.get(of),
    troubleOf: () => null,
  });
  expect(left).toEqual([unpriced]);
  expect(
    useOrders
      .getState()
      .entries.map(({ form: { receiver }, seen }) => [receiver.name, seen])
      .toSorted(),
  ).toEqual([
    ['乙二', { promise_id: 'ed-m-0001', provider: 'jdl' }],
    ['甲一', { promise_id: '2', provider: 'sf' }],
  ]);
});

it('pickup windows are requested with one valid row per product; products of a carrier that share their windows are requested together', () => {
  const unchosen = { ...form, promise_id: '', provider: '' };
  const rows = ['甲一', '乙二', '丙三', '丁四', '戊五', '己六'].map((name) => row(name));
  const doubtful = row('庚七', { confidence: { ...rows[0]!.candidate.confidence, phone: 10 } });
  const offers = [
    quotes('sf', '2'),
    quotes('sf', '2'),
    quotes('sf', '1'),
    quotes('jdl', 'ed-m-0001'),
    quotes('jdl', 'ed-m-0002'),
    undefined,
  ];
  const shown = new Map<BatchRow, Quotes | undefined>([
    [doubtful, quotes('sf', '1')],
    ...rows.map((one, at) => [one, offers[at]] as const),
  ]);
  const people = peopleByOffer(unchosen, [doubtful, ...rows], (of) => shown.get(of));
  expect(
    people.map(({ form: { receiver }, offer }) => [
      receiver.name,
      offer.provider,
      offer.promise_id,
    ]),
  ).toEqual([
    ['甲一', 'sf', '2'],
    ['丙三', 'sf', '1'],
    ['丁四', 'jdl', 'ed-m-0001'],
  ]);
});

it('if a pasted row’s carrier does not come at the chosen time, that row stays in the list; the other rows are ordered', () => {
  useOrders.setState({ user: 3, entries: [] });
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const [first, second] = [row('戊五'), row('己六')];
  const unchosen = { ...form, promise_id: '', provider: '' };
  const left = orderRows(unchosen, [first, second], false, {
    quotesOf: (of) => (of === first ? quotes('sf', '2') : quotes('jdl', 'ed-m-0001')),
    troubleOf: (of) => (of === first ? 'no_pickup_windows' : null),
  });
  expect(left).toEqual([first]);
  const names = useOrders.getState().entries.map(({ form: { receiver } }) => receiver.name);
  expect([names.includes('己六'), names.includes('戊五')]).toEqual([true, false]);
});

it('a pasted row is ready only if the chosen product is offered for the receiver’s place', () => {
  const chosen = { ...form, promise_id: '2', provider: 'sf' };
  expect(isReady(chosen, row('甲一'), answered(quotes('jdl', 'ed-m-0001')))).toBe(false);
  expect(isReady(chosen, row('甲一'), answered(quotes('sf', '2')))).toBe(true);
});

const several = (
  ...offers: [provider: string, promise_id: string, post_amount: number][]
): Quotes =>
  ({
    quotes: offers.map(([provider, promise_id, post_amount], at) => ({
      provider,
      promise_id,
      post_amount,
      selectable: 1,
      proposed: at === 0 ? 1 : 0,
    })),
    choice: null,
  }) as unknown as Quotes;

it('the offers for a pasted list show how many rows can use each product and what these rows cost in total; a row’s own product is kept', () => {
  useOrders.setState({ user: 3, entries: [] });
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const choice = { promise_id: '2', provider: 'sf' };
  const [first, own] = [row('辛八'), { ...row('壬九'), choice }];
  const both = several(['jdl', 'ed-m-0001', 900], ['sf', '2', 1200]);
  const quotesOf = (of: BatchRow) =>
    of === own ? both : several(['jdl', 'ed-m-0001', 800], ['sf', '1', 700]);
  expect(
    offersOfList([first, own], quotesOf).map(({ quote: { promise_id }, people, amount }) => [
      promise_id,
      people,
      amount,
    ]),
  ).toEqual([
    ['ed-m-0001', 2, 1700],
    ['1', 1, 700],
    ['2', 1, 1200],
  ]);
  const forAll = { ...form, promise_id: 'ed-m-0001', provider: 'jdl' };
  expect([isOwnChoice(forAll, first), isOwnChoice(forAll, own)]).toEqual([false, true]);
  const answers = { quotesOf, troubleOf: () => null };
  expect(dueOfRows(forAll, [first, own], answers)).toBe(2000);
  expect(orderRows(forAll, [first, own], false, answers)).toEqual([]);
  expect(
    useOrders
      .getState()
      .entries.filter(({ form: { receiver } }) => ['辛八', '壬九'].includes(receiver.name))
      .map(({ form: { receiver, ...ordered }, seen }) => [
        receiver.name,
        ordered.promise_id,
        seen?.promise_id,
      ])
      .toSorted(),
  ).toEqual([
    ['壬九', '2', '2'],
    ['辛八', 'ed-m-0001', 'ed-m-0001'],
  ]);
});

it('when a pasted row with a different product is moved into the form, the other pasted rows keep their product', () => {
  const unchosen = { promise_id: '', provider: '' };
  const own = { ...row('乙二'), choice: { promise_id: '2', provider: 'sf' } };
  const other = row('甲一');
  expect(withoutRow(unchosen, [own, other], own)).toEqual([{ ...other, choice: unchosen }]);
  expect(withoutRow(unchosen, [own, other], other)).toEqual([own]);
});

it('prices are requested only for pasted rows without doubtful parts, once per equal content, and for no more rows than the queue can hold', () => {
  const elsewhere = { province: '北京市', city: '北京市', county: '朝阳区' };
  const confidence = { ...row('').candidate.confidence, city: 50 };
  expect(
    pricedInputs(form, [row('甲一'), row('乙二'), row('丙三', { ...elsewhere, confidence })]),
  ).toHaveLength(1);
  expect(pricedInputs(form, [row('甲一'), row('丙三', elsewhere)])).toHaveLength(2);
  const many = Array.from({ length: mostHeld + 1 }, (_, at) => ({
    ...row('甲一'),
    weight: String(at + 1),
  }));
  expect(pricedInputs(form, many)).toHaveLength(mostHeld);
  expect(pricedInputs(form, many.slice(1))).toHaveLength(mostHeld);
});

it('the pickup windows of pasted rows are requested with the first row that can be ordered; if there is none, with the first row', () => {
  const wrong = row('王五', { address: '3#楼' });
  const right = { ...row('王五', { address: '世纪大道3号' }), weight: '2' };
  expect(sampleForm(form, [wrong, right])).toMatchObject({
    receiver: { address: '世纪大道3号' },
    sender,
    weight: '2',
  });
  expect(sampleForm(form, [wrong]).receiver.address).toBe('3#楼');
  expect(sampleForm(form, [])).toBe(form);
});

it('a pasted row with characters that the carrier refuses is not ordered until they are replaced', () => {
  const refused = row('王五', { address: '3#楼' });
  expect(rowFindings(form, refused)).toMatchObject({
    doubts: [],
    fields: [],
    refused: [{ code: 'carrier_forbidden_characters' }],
  });
  const offered = quotes('jdl', 'ed-m-0001');
  expect([
    isReady(form, refused, answered(offered)),
    isReady(form, replacedRow(refused), answered(offered)),
  ]).toEqual([false, true]);
});

it('the sum above pasted rows counts only the rows that can be ordered, and is null if no row can be ordered', () => {
  const rows = [row('甲一'), row('乙二'), row('丙三', { address: '' })];
  expect(dueOfRows(form, rows, answered(quotes('jdl', 'ed-m-0001')))).toBe(1800);
  expect(dueOfRows(form, rows, answered(undefined))).toBeNull();
});
