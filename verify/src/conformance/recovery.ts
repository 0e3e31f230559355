import { carries, onlyCreates } from './kit.ts';
import type { Kit } from './kit.ts';
import type { Fate } from './line.ts';
import { recovered } from './ordering.ts';
import type { CarrierPromise } from './promise.ts';

/** The ways in which the carrier's answer can be lost after the carrier stored the order. */
const losses: Readonly<Record<string, Fate>> = {
  'connection dropped': { does: 'drop', ask: true },
  'answer cut in half': { does: 'cut' },
  'HTTP 502 in between': { does: 'answer', ask: true, status: 502, body: '<html>Bad Gateway' },
  'HTTP 500': { does: 'answer', ask: true, status: 500, body: '' },
  'a page of a proxy': { does: 'answer', ask: true, status: 200, body: '<html>登录</html>' },
  'an empty answer': { does: 'answer', ask: true, status: 200, body: '' },
};

const lose = async (kit: Kit, fate: Fate) => {
  const order = kit.order();
  const body = kit.bodyOf(order);
  const { result, calls } = await kit.line.during(onlyCreates(body, fate), () =>
    (fate.does === 'wait' ? kit.hasty : kit.carrier).create(kit.account, body),
  );
  const creates = calls.filter((call) => carries(call, body));
  return { order, body, result, creates };
};

const lost: CarrierPromise = {
  name: 'an order whose answer is lost is unknown and not sent again by itself',
  run: async (kit, judge) => {
    const late: Fate = { does: 'wait', ms: kit.hastyMs + 200 };
    for (const [name, fate] of Object.entries({ ...losses, timeout: late })) {
      const { result, creates } = await lose(kit, fate);
      judge(result.outcome === 'unknown', `${name}: the order is ${result.outcome}`);
      judge(
        result.outcome !== 'unknown' || result.not_sent !== true,
        `${name}: the order counts as not sent`,
      );
      judge(creates.length === 1, `${name}: the order was sent ${creates.length} times`);
    }
    return { seen: [...Object.keys(losses), 'timeout'].join(', ') };
  },
};

const declared: CarrierPromise = {
  name: 'a lost answer is recovered as recovers_by declares',
  run: async (kit, judge) => {
    const { recovers_by } = kit.carrier;
    if (recovers_by === 'person') {
      judge(!('seek' in kit.carrier), 'recovers_by is person, but there is a search');
      return { not_declared: 'recovers_by person: the office decides' };
    }
    for (const [name, fate] of Object.entries(losses)) {
      const { order, body, creates } = await lose(kit, fate);
      const { result, calls } = await kit.line.during(
        () => null,
        () => recovered(kit, order.order_id, body),
      );
      judge(result?.outcome === 'accepted', `${name}: recovered as ${result?.outcome}`);
      if (result?.outcome === 'accepted')
        judge(
          creates[0]?.answer?.includes(result.delivery_id) === true,
          `${name}: recovered the waybill ${result.delivery_id}, which the lost answer does not name`,
        );
      if (recovers_by !== 'repeat')
        judge(
          !calls.some((call) => carries(call, body)),
          `${name}: the search sent the order again`,
        );
    }
    return { seen: `${recovers_by}, ${Object.keys(losses).length} losses, one waybill each` };
  },
};

const repeat: CarrierPromise = {
  name: 'a repeated order has the first waybill and is called a repeat',
  run: async (kit, judge) => {
    const { carrier, account } = kit;
    const repeats =
      carrier.recovers_by === 'repeat' ||
      (carrier.recovers_by !== 'person' && carrier.not_found === 'create');
    if (!repeats) return { not_declared: 'nothing is repeated' };
    const { order, answer } = await kit.accepted();
    const again = await carrier.create(account, kit.bodyOf(order));
    judge(
      again.outcome === 'accepted' && again.delivery_id === answer.delivery_id,
      `the repeat is ${again.outcome}, not the waybill ${answer.delivery_id}`,
    );
    // An answer that is changed to another waybill number must be reported with that other number,
    // so that the two numbers can be compared.
    const other = answer.delivery_id.replace(/\d(?=\D*$)/, (digit) =>
      String((Number(digit) + 1) % 10),
    );
    const { result } = await kit.line.during(
      () => ({ does: 'alter', alter: (text) => text.replaceAll(answer.delivery_id, other) }),
      () => carrier.create(account, kit.bodyOf(order)),
    );
    judge(
      result.outcome !== 'accepted' || result.delivery_id === other,
      `the repeat names ${other}, the adapter hides it`,
    );
    return { seen: `twice the same bytes: ${answer.delivery_id}` };
  },
};

const notFound: CarrierPromise = {
  name: 'a search creates nothing, and only a readable answer says that there is no order',
  run: async (kit, judge) => {
    const { carrier, account } = kit;
    if (carrier.recovers_by === 'repeat' || carrier.recovers_by === 'person')
      return { not_declared: `recovers_by ${carrier.recovers_by}` };
    const sought = { order_id: kit.order().order_id, delivery_id: '' };
    for (let nth = 1; nth <= 2; nth += 1) {
      const found = await carrier.seek(account, sought);
      judge(
        found.outcome === 'not_stored',
        `search ${nth} of a number never sent: ${found.outcome}`,
      );
    }
    const { order } = await kit.accepted();
    for (const [name, fate] of Object.entries(losses)) {
      const { result } = await kit.line.during(
        () => fate,
        () => carrier.seek(account, { order_id: order.order_id, delivery_id: '' }),
      );
      judge(
        ['unknown', 'gateway'].includes(result.outcome),
        `${name}: the search of a stored order answers ${result.outcome}`,
      );
    }
    return { seen: `2 searches, ${Object.keys(losses).length} unreadable answers` };
  },
};

const unsent: CarrierPromise = {
  name: 'a refused connection counts as not sent, nothing else does',
  run: async (kit, judge) => {
    const closed = { ...kit.account, base_url: 'http://127.0.0.1:1' };
    const answer = await kit.carrier.create(closed, kit.bodyOf(kit.order()));
    judge(
      answer.outcome === 'unknown' && answer.not_sent === true,
      `the order is ${JSON.stringify(answer).slice(0, 200)}`,
    );
    const denied = { ...kit.account, base_url: 'http://10.0.0.1' };
    const refused = await kit.carrier.create(denied, kit.bodyOf(kit.order()));
    judge(
      refused.outcome === 'unknown' && refused.not_sent === true,
      `an address that is not allowed: ${JSON.stringify(refused).slice(0, 200)}`,
    );
    const { result } = await kit.line.during(
      () => ({ does: 'drop', ask: false }),
      () => kit.carrier.create(kit.account, kit.bodyOf(kit.order())),
    );
    judge(
      result.outcome === 'unknown' && result.not_sent !== true,
      `an order that went out without an answer: ${JSON.stringify(result).slice(0, 200)}`,
    );
    return { seen: 'closed port, forbidden address, no answer' };
  },
};

export const recovery = [lost, declared, repeat, notFound, unsent];
