import type { LedgerPrice, Movement, Share } from '#domain/ledger/ledger.ts';

/**
 * A second implementation of the rules in docs/ledger.md. It is as simple as possible and uses no
 * code of the product. The tests compare the ledger with it.
 */
export interface ModelLine {
  type: string;
  status: string;
  amount: number;
  freeze_amount: number;
  profit: number;
  balance: number;
  available: number;
}

interface ModelStation {
  money: number;
  frozen: number;
  reserve: number;
  checked: boolean;
  lines: ModelLine[];
}

interface ModelParcel {
  station: number;
  attempt: number;
  /** The price for which money is held; null if no hold is open. */
  held: LedgerPrice | null;
  /** True if the hold of the last attempt was released. */
  released: boolean;
  charged: { price: LedgerPrice; shares: Map<number, number>; refunded: number } | null;
  reversed: boolean;
  fee: number;
  /** The parcel's transactions that a reversal marks as reversed. */
  lines: ModelLine[];
}

interface ModelRequest {
  station: number;
  type: 'withdrawal' | 'adjustment';
  amount: number;
  by: number | null;
}

export type Expected = 'posted' | 'no-op' | `lacks ${number}` | `fails ${string}`;

export const newModel = () => ({
  stations: new Map<number, ModelStation>(),
  parcels: new Map<number, ModelParcel>(),
  requests: new Map<number, ModelRequest>(),
  platform: { cash: 0, revenue: 0, carrier_cost: 0, carrier_payable: 0 },
});
export type Model = ReturnType<typeof newModel>;

export const addModelStation = (
  model: Model,
  id: number,
  reserve: number,
  checked: boolean,
): void => void model.stations.set(id, { money: 0, frozen: 0, reserve, checked, lines: [] });

export const availableOf = (station: ModelStation): number =>
  station.money - station.frozen - station.reserve;

type Step = Pick<ModelLine, 'type'> &
  Partial<Pick<ModelLine, 'amount' | 'freeze_amount' | 'profit'>>;

const move = (
  model: Model,
  id: number,
  { type, amount = 0, freeze_amount = 0, profit = 0 }: Step,
): ModelLine => {
  const station = model.stations.get(id)!;
  station.money += amount;
  station.frozen += freeze_amount;
  // Adding 0 turns -0 into 0.
  const line = {
    type,
    status: 'posted',
    amount: amount + 0,
    freeze_amount: freeze_amount + 0,
    profit,
    balance: station.money,
    available: availableOf(station),
  };
  station.lines.push(line);
  return line;
};

const mapOf = (shares: readonly Share[]): Map<number, number> =>
  new Map(
    shares
      .filter(({ amount }) => amount !== 0)
      .map(({ station_id, amount }) => [station_id, amount]),
  );

const sumOf = (shares: Map<number, number>): number =>
  [...shares.values()].reduce((sum, amount) => sum + amount, 0);

const pay = (
  model: Model,
  parcel: ModelParcel,
  price: LedgerPrice,
  shares: Map<number, number>,
): void => {
  const held = parcel.held?.post_amount ?? 0;
  parcel.lines.push(
    move(model, parcel.station, {
      type: 'charge',
      amount: -price.post_amount,
      freeze_amount: -held,
    }),
  );
  for (const [id, amount] of shares)
    parcel.lines.push(move(model, id, { type: 'profit', amount, profit: amount }));
  model.platform.revenue += price.post_amount - sumOf(shares);
  parcel.held = null;
  parcel.charged = { price, shares, refunded: 0 };
};

const samePrice = (a: LedgerPrice, b: LedgerPrice): boolean =>
  a.pre_amount === b.pre_amount &&
  a.discount_amount === b.discount_amount &&
  a.guarantee_amount === b.guarantee_amount;

/**
 * Returns the part of the price that the station must still pay: the price minus the refunds, but
 * at least zero.
 */
const leftOf = (price: LedgerPrice, refunded: number): number =>
  Math.max(0, price.post_amount - refunded);

const differ = (
  model: Model,
  parcel: ModelParcel,
  { type, price_after: price, shares_after }: Movement & { movement: 'difference' },
): Expected => {
  const shares = mapOf(shares_after);
  const { charged } = parcel;
  if (!charged) return 'fails parcel_not_charged';
  if (parcel.reversed) return 'no-op';
  const steps = [...new Set([...shares.keys(), ...charged.shares.keys()])]
    .map((id): [number, number] => [id, (shares.get(id) ?? 0) - (charged.shares.get(id) ?? 0)])
    .filter(([, step]) => step !== 0);
  if (samePrice(price, charged.price) && steps.length === 0) return 'no-op';
  const step = leftOf(price, charged.refunded) - leftOf(charged.price, charged.refunded);
  if (!samePrice(price, charged.price))
    parcel.lines.push(move(model, parcel.station, { type, amount: -step }));
  for (const [id, amount] of steps)
    parcel.lines.push(move(model, id, { type: 'profit', amount, profit: amount }));
  model.platform.revenue += step - steps.reduce((sum, [, amount]) => sum + amount, 0);
  // If only the discount differs, no new price row is created. The model then keeps the discount of
  // the last row.
  charged.price = samePrice(price, charged.price)
    ? { ...price, discount: charged.price.discount }
    : price;
  charged.shares = shares;
  return 'posted';
};

const reverse = (model: Model, parcel: ModelParcel): Expected => {
  const { charged } = parcel;
  if (!charged) return 'fails parcel_not_charged';
  if (parcel.reversed) return 'fails parcel_reversed';
  for (const line of parcel.lines) line.status = 'reversed';
  const back = leftOf(charged.price, charged.refunded);
  move(model, parcel.station, { type: 'reversal', amount: back });
  for (const [id, amount] of charged.shares)
    if (amount !== 0) move(model, id, { type: 'reversal', amount: -amount, profit: -amount });
  model.platform.revenue -= back - sumOf(charged.shares);
  parcel.reversed = true;
  return 'posted';
};

const refund = (model: Model, parcel: ModelParcel, amount: number): Expected => {
  if (!parcel.charged) return 'fails parcel_not_charged';
  if (parcel.reversed) return 'fails parcel_reversed';
  if (amount > leftOf(parcel.charged.price, parcel.charged.refunded))
    return 'fails refund_too_large';
  parcel.charged.refunded += amount;
  model.platform.revenue -= amount;
  parcel.lines.push(move(model, parcel.station, { type: 'refund', amount }));
  return 'posted';
};

const approve = (model: Model, id: number, by: number | null): Expected => {
  const request = model.requests.get(id);
  if (!request) return 'fails statement_not_pending';
  if (request.by === by) return 'fails second_person_required';
  const station = model.stations.get(request.station)!;
  if (request.type === 'withdrawal' && availableOf(station) < request.amount)
    return `lacks ${request.amount - availableOf(station)}`;
  const amount = request.type === 'withdrawal' ? -request.amount : request.amount;
  move(model, request.station, { type: request.type, amount });
  model.platform[request.type === 'withdrawal' ? 'cash' : 'revenue'] -= amount;
  model.requests.delete(id);
  return 'posted';
};

const lacking = (station: ModelStation, amount: number): Expected | null =>
  station.checked && availableOf(station) < amount
    ? `lacks ${amount - availableOf(station)}`
    : null;

const hold = (model: Model, movement: Movement & { movement: 'hold' }): Expected => {
  const lacks = lacking(model.stations.get(movement.station_id)!, movement.price.post_amount);
  if (lacks) return lacks;
  const known = model.parcels.get(movement.express_id);
  if (known)
    Object.assign(known, { attempt: movement.attempt, held: movement.price, released: false });
  else
    model.parcels.set(movement.express_id, {
      station: movement.station_id,
      attempt: movement.attempt,
      held: movement.price,
      released: false,
      charged: null,
      reversed: false,
      fee: 0,
      lines: [],
    });
  move(model, movement.station_id, { type: 'hold', freeze_amount: movement.price.post_amount });
  return 'posted';
};

const changeHold = (model: Model, parcel: ModelParcel, price: LedgerPrice): Expected => {
  const held = parcel.held!;
  if (samePrice(price, held) && price.discount === held.discount) return 'no-op';
  const step = price.post_amount - held.post_amount;
  const lacks = step > 0 ? lacking(model.stations.get(parcel.station)!, step) : null;
  if (lacks) return lacks;
  parcel.held = price;
  move(model, parcel.station, { type: 'hold', freeze_amount: step });
  return 'posted';
};

const fee = (model: Model, parcel: ModelParcel, total: number): Expected => {
  if (total === parcel.fee) return 'no-op';
  model.platform.carrier_cost -= total - parcel.fee;
  model.platform.carrier_payable += total - parcel.fee;
  parcel.fee = total;
  return 'posted';
};

/**
 * Applies a valid movement of money to the model. Returns the response that the ledger must give.
 * `request` is the id of a change request in the ledger.
 */
export const apply = (model: Model, movement: Movement): Expected => {
  const parcel = 'express_id' in movement ? model.parcels.get(movement.express_id) : undefined;
  switch (movement.movement) {
    case 'top_up':
      move(model, movement.station_id, { type: 'top_up', amount: movement.amount });
      model.platform.cash -= movement.amount;
      return 'posted';
    case 'adjustment':
      move(model, movement.station_id, { type: 'adjustment', amount: movement.amount });
      model.platform.revenue -= movement.amount;
      return 'posted';
    case 'payout':
      move(model, parcel!.station, { type: 'payout', amount: movement.amount });
      model.platform.revenue -= movement.amount;
      return 'posted';
    case 'carrier_paid':
      model.platform.carrier_payable -= movement.amount;
      model.platform.cash += movement.amount;
      return 'posted';
    case 'release':
      move(model, parcel!.station, { type: 'release', freeze_amount: -parcel!.held!.post_amount });
      Object.assign(parcel!, { held: null, released: true });
      return 'posted';
    case 'charge':
      pay(model, parcel!, movement.price, mapOf(movement.shares));
      return 'posted';
    case 'request': {
      const station = model.stations.get(movement.station_id)!;
      return movement.type === 'withdrawal' && availableOf(station) < movement.amount
        ? `lacks ${movement.amount - availableOf(station)}`
        : 'no-op';
    }
    case 'decline': {
      const request = model.requests.get(movement.statement_id);
      if (!request) return 'fails statement_not_pending';
      if (request.by === movement.by) return 'fails second_person_required';
      model.requests.delete(movement.statement_id);
      return 'no-op';
    }
    case 'approve':
      return approve(model, movement.statement_id, movement.by);
    case 'hold':
      return hold(model, movement);
    case 'change_hold':
      return changeHold(model, parcel!, movement.price);
    case 'difference':
      return differ(model, parcel!, movement);
    case 'refund':
      return refund(model, parcel!, movement.amount);
    case 'reversal':
      return reverse(model, parcel!);
    case 'carrier_fee':
      return fee(model, parcel!, movement.amount_total);
  }
};
