import { createHash } from 'node:crypto';
import { isClosed } from './order.ts';
import type { Call } from './call.ts';
import type { Order } from './order.ts';

type Row = {
  wayBillNo: string;
  packageCode: string;
  code: string;
  msg: string;
  perPrintData: string;
};

/**
 * Returns a placeholder for the encrypted label data, which only the carrier's print component can
 * decrypt.
 */
const sealed = (order: Order, packageCode: string): string =>
  createHash('sha512')
    .update(`${packageCode} ${order.receiver.address} ${order.pieces} ${order.product_code}`)
    .digest('base64');

const mostPackagesPrinted = 1000;

const rowsOf = (call: Call, waybill: string, customerCode: string): Row[] => {
  const failed = (msg: string): Row[] => [
    { wayBillNo: waybill, packageCode: '', code: '0', msg, perPrintData: '' },
  ];
  const order = call.world.book.byWaybill(waybill);
  if (
    order === undefined ||
    order.app_key !== call.application.app_key ||
    order.customer_code !== customerCode
  )
    return failed('运单不存在');
  if (isClosed(order)) return failed('运单已取消');
  if (!order.presorted) return failed('运单预分拣未完成');
  return Array.from({ length: Math.min(order.pieces, mostPackagesPrinted) }, (_, i) => {
    const packageCode = `${waybill}-${i + 1}-${order.pieces}-`;
    return {
      wayBillNo: waybill,
      packageCode,
      code: '1',
      msg: '成功',
      perPrintData: sealed(order, packageCode),
    };
  });
};

/**
 * Returns the label data of up to ten waybills. A waybill without label data gets an error row, and
 * the response as a whole succeeds.
 */
export const pullData = (call: Call): Record<string, unknown> => {
  const { body } = call;
  body.choice('cpCode', ['JD']);
  const objectId = body.text('objectId', 1, 20);
  const customerCode = body.inside('parameters').text('ewCustomerCode', 1, 32);
  const rows = body.list('wayBillInfos', 1, 10).flatMap((info) => {
    info.maybeChoice('popFlag', [0, 1]);
    return rowsOf(call, info.text('jdWayBillCode', 1, 50), customerCode);
  });
  return { code: '1', message: '成功', objectId, prePrintDatas: rows };
};

const templates = ['jdkd76x130', 'jdkd76x130isv', 'jdkd76x105', 'jdky76x130', 'jddj76x130'];

export const templateList = (call: Call): Record<string, unknown> => {
  const cpCode = call.body.choice('cpCode', ['JD']);
  call.body.maybeWhole('templateType', 1, 4);
  call.body.maybeWhole('wayTempleteType', 1, 6);
  const standardTemplates = templates.map((name, i) => ({
    standardTemplateId: i + 1,
    standardTemplateName: name,
    standardTemplateUrl: `https://carrier.example/templates/${name}`,
  }));
  return { code: 1, message: '成功', datas: { sDatas: [{ cpCode, standardTemplates }] } };
};
