import { afterEach, describe, expect, it, vi } from 'vitest';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { setStorageKey } from '#base/sealed.ts';
import { dropEntry, putEntry, storedEntry, useOrders } from './entries.ts';
import { mostHeld, newEntry } from './entry.ts';
import { emptyForm } from './form.ts';
import { editInput } from './inputs.ts';
import { enqueue, orderAgain, pauseAfter, sendNow, takeBack } from './work.ts';

for (const user of [1, 2, 3, 4, 5, 6, 7, 8, 9]) setStorageKey(user, String(user).repeat(64));

describe('taking an order into the queue', () => {
  it('if the queue already has an order with this key, queueing an order with the key again changes nothing', () => {
    useOrders.setState({ user: 1, entries: [] });
    putEntry({ ...newEntry('a', emptyForm, false, Date.now()), state: 'kept' });
    expect(enqueue('a', { ...emptyForm, goods: '文件' }, { print: true })).toBe('known');
    expect(storedEntry('a')).toMatchObject({ state: 'kept', print: false, form: { goods: '' } });
    dropEntry('a');
  });
  it('if the browser already has the maximum number of waiting orders, a further order is not queued and its form stays filled', () => {
    useOrders.setState({ user: 1, entries: [] });
    for (let no = 0; no < mostHeld; no++)
      putEntry({ ...newEntry(`k${no}`, emptyForm, false, Date.now()), state: 'refused' });
    expect(enqueue('one more', emptyForm)).toBe('full');
    expect(storedEntry('one more')).toBeNull();
  });
});

describe('taking an order back', () => {
  it('a refused order can be taken back from the queue, but an order that may have reached the server cannot', () => {
    useOrders.setState({ user: 2, entries: [] });
    putEntry({
      ...newEntry('b', emptyForm, false, Date.now()),
      state: 'sending',
      input: { wait: 0 } as never,
    });
    expect(takeBack('b')).toBeNull();
    expect(storedEntry('b')?.state).toBe('sending');
    putEntry({ ...newEntry('c', emptyForm, false, Date.now()), state: 'refused' });
    expect(takeBack('c')?.key).toBe('c');
    expect(storedEntry('c')).toBeNull();
  });
});

describe('an order whose chosen product is not offered any more', () => {
  afterEach(() => vi.unstubAllGlobals());
  const party = {
    contact_id: null,
    name: '张三',
    phone: '13900000001',
    place: { province: '上海市', city: '上海市', county: '浦东新区' },
    address: '世纪大道1号',
  };
  const form = {
    ...emptyForm,
    sender: party,
    receiver: party,
    goods: '文件',
    weight: '1',
    promise_id: '2',
    provider: 'sf',
  };
  const draft = {
    id: 7,
    version: 3,
    state_code: stateCode.draft,
    order_id: 'WS1',
    delivery_id: null,
    print_count: 0,
  };

  it.each([
    ['a new parcel, one of several pasted people, or an order that waited for its price', {}],
    ['a proposal that was shown and not chosen', { seen: { promise_id: '2', provider: 'sf' } }],
    ['a changed draft', { work: 'submit' as const, edited: draft }],
  ])(
    'if the product of an order is no longer offered, the order is refused with the reason at the product field: %s',
    async (_, wanted) => {
      useOrders.setState({ user: 9, entries: [] });
      const asked: string[] = [];
      vi.stubGlobal('fetch', async (url: string) => {
        asked.push(url);
        const jdl = { provider: 'jdl', promise_id: 'ed', selectable: 1, proposed: 1 };
        return Response.json({ status: 200, data: { quotes: [jdl] }, message: '' });
      });
      const key = `lost ${Object.keys(wanted).join()}`;
      enqueue(key, 'seen' in wanted ? { ...form, promise_id: '', provider: '' } : form, wanted);
      await vi.waitFor(() => expect(storedEntry(key)?.state).toBe('refused'));
      expect(storedEntry(key)).toMatchObject({
        input: null,
        problem: { fields: { promise_id: { code: 'promise_not_offered' } } },
      });
      expect(asked.every((url) => url.includes('quote'))).toBe(true);
    },
  );
});

describe('an order for which nobody chose a product', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  const party = {
    contact_id: null,
    name: '张三',
    phone: '13900000001',
    place: { province: '上海市', city: '上海市', county: '浦东新区' },
    address: '世纪大道1号',
  };
  const form = { ...emptyForm, sender: party, receiver: party, goods: '文件', weight: '1' };
  /**
   * Imitates a server whose quotes propose a product of this carrier. Returns a list to which the
   * content of each sent order is added.
   */
  const proposing = (provider: string, answered: Promise<unknown> = Promise.resolve()) => {
    const sent: object[] = [];
    vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
      if (url.includes('quote')) {
        await answered;
        const quote = { provider, promise_id: 'p', selectable: 1, proposed: 1, post_amount: 900 };
        return Response.json({ status: 200, data: { quotes: [quote] }, message: '' });
      }
      sent.push(JSON.parse(String(body)) as object);
      const parcel = { id: 1, state_code: stateCode.ordering, canceling: 0 };
      return Response.json({ status: 200, data: parcel, message: '' });
    });
    return sent;
  };

  it('an order without a chosen product is refused if the proposal has another carrier now than when the user saw it', async () => {
    useOrders.setState({ user: 8, entries: [] });
    const sent = proposing('sf');
    enqueue(
      'other carrier',
      { ...form, weight: '2' },
      { seen: { promise_id: '', provider: 'jdl' } },
    );
    await vi.waitFor(() => expect(storedEntry('other carrier')?.state).toBe('refused'));
    const reason = { code: 'carrier_changed', params: { provider: 'sf' } };
    expect(storedEntry('other carrier')).toMatchObject({
      input: null,
      problem: { ...reason, fields: { promise_id: reason } },
    });
    expect(sent).toEqual([]);
    // The user orders again after the name of the other carrier was shown.
    orderAgain('other carrier');
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ promise_id: 'p', expected_amount: 900 });
  });

  it('an order without a chosen product is sent at the current price if the proposal still has the carrier that the user saw', async () => {
    useOrders.setState({ user: 8, entries: [] });
    const sent = proposing('jdl');
    enqueue(
      'same carrier',
      { ...form, weight: '3' },
      { seen: { promise_id: '', provider: 'jdl' } },
    );
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ promise_id: 'p', expected_amount: 900, by_rule: 1 });
  });

  it('an order with a chosen product is not sent before its price arrives', async () => {
    vi.useFakeTimers();
    useOrders.setState({ user: 8, entries: [] });
    const late = Promise.withResolvers<void>();
    const sent = proposing('jdl', late.promise);
    enqueue('late', { ...form, weight: '4' }, { seen: { promise_id: 'p', provider: 'jdl' } });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toEqual([]);
    late.resolve();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent[0]).toMatchObject({ promise_id: 'p', expected_amount: 900 });
  });
});

describe('a draft that is changed and ordered', () => {
  afterEach(() => vi.unstubAllGlobals());
  const edited = {
    id: 7,
    version: 3,
    state_code: stateCode.draft,
    order_id: 'WS1',
    delivery_id: null,
    print_count: 0,
  };
  /**
   * Imitates the server and records the requests. The path of a request ends with the key of its
   * answer.
   */
  const server = (answers: Record<string, { status: number; data: object }>) => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
      const path = new URL(url, 'http://localhost').pathname;
      asked.push(`${method} ${path} ${typeof body === 'string' ? body : ''}`.trim());
      const [, answer] = Object.entries(answers).find(([end]) => path.endsWith(end)) ?? [
        '',
        { status: 404, data: { code: 'not_found', params: {} } },
      ];
      return Response.json({ ...answer, message: '' }, { status: answer.status });
    });
    return asked;
  };
  const changes = (asked: readonly string[]): string[] =>
    asked.filter((line) => /^(?:PATCH|POST) \/api\/arco\/expresses\/7/.test(line));
  const begun = (key: string) => {
    useOrders.setState({ user: 3, entries: [] });
    const input = editInput(edited, { ...emptyForm, goods: '文件' });
    putEntry({
      ...newEntry(key, emptyForm, false, Date.now()),
      work: 'submit',
      edited,
      state: 'sending',
      input,
    });
    return input;
  };

  it('if the order of a changed draft was refused, ordering again sends the same change and the same order', async () => {
    const { id: _, ...input } = begun('d');
    const blocked = { status: 409, data: { code: 'station_blocked', params: {}, fields: {} } };
    const asked = server({
      '/7': { status: 200, data: { id: 7, state_code: stateCode.draft } },
      '/order': blocked,
    });
    sendNow('d');
    await vi.waitFor(() =>
      expect(storedEntry('d')).toMatchObject({
        state: 'refused',
        problem: { code: 'station_blocked' },
      }),
    );
    orderAgain('d');
    await vi.waitFor(() => expect(changes(asked)).toHaveLength(4));
    const both = [
      `PATCH /api/arco/expresses/7 ${JSON.stringify(input)}`,
      expect.stringContaining('POST /api/arco/expresses/7/order'),
    ];
    expect(changes(asked)).toEqual([...both, ...both]);
  });

  it('if the carrier refuses the order of a changed draft, the draft is ordered only once and is not submitted again', async () => {
    begun('e');
    const failed = { status: 200, data: { id: 7, state_code: stateCode.failed } };
    const asked = server({ '/7': failed, '/order': failed, '/retry': failed });
    sendNow('e');
    await vi.waitFor(() => expect(storedEntry('e')?.state).toBe('placed'));
    expect(changes(asked).map((line) => line.split(' ').slice(0, 2))).toEqual([
      ['PATCH', '/api/arco/expresses/7'],
      ['POST', '/api/arco/expresses/7/order'],
    ]);
  });
});

it.each([stateCode.draft, stateCode.onHold, stateCode.failed])(
  'if the form has no carrier account, changing a parcel in state %i clears the account that a user chose before',
  (state_code) => {
    const unsent = {
      id: 7,
      version: 3,
      state_code,
      order_id: 'WS1',
      delivery_id: null,
      print_count: 0,
    };
    const chosen = { ...unsent, chosen_code: '010K000002' };
    expect(editInput(chosen, emptyForm)).toMatchObject({ customer_code: '' });
    expect(editInput(chosen, { ...emptyForm, customer_code: '010K000001' })).toMatchObject({
      customer_code: '010K000001',
    });
    // If no user chose an account, or if the user is not an administrator, the account is not sent.
    for (const chosen_code of ['', undefined])
      expect(editInput({ ...unsent, chosen_code }, emptyForm)).not.toHaveProperty('customer_code');
  },
);

it('an unanswered order is sent again after pauses that double from one second to half a minute', () => {
  expect([1, 2, 3, 6, 20].map(pauseAfter)).toEqual([1_000, 2_000, 4_000, 30_000, 30_000]);
});
