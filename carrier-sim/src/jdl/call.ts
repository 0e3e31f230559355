import { Unreadable } from '#reading.ts';
import { GatewayRefusal, Refusal } from './answers.ts';
import { isClosed } from './order.ts';
import type { Mishap } from '#carrier.ts';
import type { Fields } from '#reading.ts';
import type { Account, Application } from './accounts.ts';
import type { Order } from './order.ts';
import type { World } from './world.ts';

/**
 * A call of an order interface that the gateway accepted. `account` is null for a partner
 * application, which orders for all of its accounts.
 */
export type Call = {
  world: World;
  application: Application;
  account: Account | null;
  body: Fields;
};

/** The reply of an order interface: its `data`, and the sub-code if the order is a repeat. */
export type Reply = { data: unknown; subCode?: string; subMsg?: string; mishap?: Mishap };

export type Handler = (call: Call) => Reply;

/** The kinds of order origin: 0 C2C, 1 B2C, 2 C2B, 4 freight B2C, 5 freight C2C. */
const origins = [0, 1, 2, 4, 5] as const;

/**
 * The customer of a call: its account, and the customer code within which its order numbers are
 * unique.
 */
export type Principal = { account: Account; customerCode: string; origin: number };

const accountFor = (call: Call, customerCode: string | undefined): Account => {
  if (call.account !== null) {
    if (customerCode !== undefined && !call.account.customer_codes.includes(customerCode)) {
      throw new Refusal('PIN与商家编码不匹配');
    }
    return call.account;
  }
  const owner = call.application.accounts.find(
    (account) => customerCode === undefined || account.customer_codes.includes(customerCode),
  );
  if (owner === undefined) throw new Refusal('PIN与商家编码不匹配');
  return owner;
};

/**
 * Reads `orderOrigin` and the customer code. Refuses a customer code that belongs to another
 * account.
 */
export const principalOf = (call: Call): Principal => {
  const origin = call.body.choice('orderOrigin', origins);
  if (origin === 1 || origin === 2) {
    const customerCode = call.body.text('customerCode', 1, 32);
    return { account: accountFor(call, customerCode), customerCode, origin };
  }
  const account = accountFor(call, call.body.maybeText('customerCode', 32));
  const unit = origin === 4 ? call.body.maybeText('businessUnitCode', 32) : undefined;
  return { account, customerCode: unit ?? `@${account.seller_id}`, origin };
};

/**
 * Finds the order that a call identifies by its waybill, its order code or the merchant's order
 * number. Refuses a number without an order, and an order of another merchant.
 */
export const orderOf = (call: Call, merchantField: 'orderId' | 'customerOrderId' | null): Order => {
  const { account, customerCode } = principalOf(call);
  const { body, world } = call;
  const waybill = body.maybeText('waybillCode', 50);
  const orderCode = body.maybeText('orderCode', 50);
  const merchantNumber = merchantField === null ? undefined : body.maybeText(merchantField, 50);
  if (waybill === undefined && orderCode === undefined && merchantNumber === undefined) {
    throw new Unreadable('waybillCode', 'or another number of the order must be given');
  }
  const found =
    (waybill === undefined ? undefined : world.book.byWaybill(waybill)) ??
    (orderCode === undefined ? undefined : world.book.byOrderCode(orderCode)) ??
    (merchantNumber === undefined
      ? undefined
      : world.book.byMerchant(customerCode, merchantNumber));
  const isOwn =
    found?.app_key === call.application.app_key &&
    found.seller_id === account.seller_id &&
    found.customer_code === customerCode;
  if (found === undefined || !isOwn) throw new Refusal('运单不存在');
  return found;
};

export const mustBeOpen = (order: Order): void => {
  if (isClosed(order)) throw new Refusal('订单已取消或已终止揽收');
};

/** Converts an expected failure to the refusal to return; throws any other error again. */
export const asRefusal = (error: unknown): Refusal | GatewayRefusal => {
  if (error instanceof Refusal || error instanceof GatewayRefusal) return error;
  if (error instanceof Unreadable) return new Refusal(`参数错误：${error.field} ${error.reason}`);
  throw error;
};
