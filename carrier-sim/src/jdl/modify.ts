import { Refusal } from './answers.ts';
import { mustBeOpen, orderOf } from './call.ts';
import { keywords, says } from './keywords.ts';
import { isDelivered, isReturning } from './order.ts';
import { readContact, readProducts, readSettleType } from './order-input.ts';
import type { Call, Reply } from './call.ts';
import type { Order } from './order.ts';

const changesOf = (call: Call, order: Order): Partial<Order> => {
  const { body, world } = call;
  const contact = body.maybeInside('receiverContact');
  const cargo = body.maybeList('cargoes', 1)[0];
  const remark = body.maybeText('remark', 500);
  return {
    ...(contact === undefined
      ? {}
      : { receiver: readContact(contact, world.settings().names === 'strict') }),
    ...(cargo?.has('quantity') === true ? { pieces: cargo.whole('quantity', 1, 99_999_999) } : {}),
    ...(body.has('productsReq') ? readProducts(body) : {}),
    ...(body.has('settleType') ? { settle_type: readSettleType(body, order.origin) } : {}),
    ...(remark === undefined ? {} : { remark }),
  };
};

/**
 * Changes the receiver, pieces, product with its services, payment method or remark of an order,
 * unless the parcel was delivered. The planned steps do not change.
 */
export const modify = (call: Call): Reply => {
  const order = orderOf(call, 'orderId');
  mustBeOpen(order);
  if (isDelivered(order)) throw new Refusal('运单已妥投，不可修改');
  if (isReturning(order) || order.cancel !== undefined)
    throw new Refusal('运单退回或拦截中，不可修改');
  if (call.body.has('senderContact')) throw new Refusal('寄件信息不可修改');
  const changes = changesOf(call, order);
  if (Object.keys(changes).length === 0) throw new Refusal('没有可修改的内容');
  const changed = { ...order, ...changes };
  if (says(changed, 'out_of_area'))
    throw new Refusal(`收件地址${keywords.out_of_area}，不在服务范围内`);
  if (changed.receiver.address !== order.receiver.address) {
    changes.moved_from = [
      ...(order.moved_from ?? []),
      { steps: order.done, address: order.receiver.address },
    ];
  }
  Object.assign(order, changes);
  call.world.save(order);
  return { data: { orderCode: order.order_code, waybillCode: order.waybill_code } };
};
