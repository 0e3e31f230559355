/**
 * Ranks the column titles of a bill, to find its columns for waybill, weight and amount. The column
 * with the smallest rank is chosen, and the user chooses among columns of equal rank. A total ranks
 * before its parts: 合计 before 运费, 计费重量 before 实际重量. Titles are compared in lower case, without
 * spaces, punctuation and parentheses.
 */

/**
 * Words that show that a column title is not the title of an amount, whatever other words it
 * contains.
 */
const noAmount =
  /重|体积|件|数量|时间|日期|状态|方式|类型|名称|项目|科目|种类|账户|账号|编号|编码|单号|号码|月份|账期|周期|币种|备注|说明|地址|电话|姓名|率|weight|volume|piece|qty|quantity|count|date|time|status|type|name|code|number|currency|period|remark|note|(?:^|[^a-z])id$/;
/** Words of amounts that are not paid to the carrier. */
const otherSum =
  /代收|货款|货值|声明|申报|保价金额|保额|投保|税额|税金|税率|优惠(?!后)|折扣(?!后)|减免|立减|抵扣|余额|押金|预付|理赔|赔付|赔款|单价|面额|已付|未付|欠|cod|declared|insuredvalue|discount(?!ed)|vat|balance|deposit|unitprice|rate/;
/** Words in column titles that name one part of a price, and not the total. */
const partOnly =
  /首重|续重|保价|附加|包装|燃油|操作|服务|签单|偏远|上楼|材料|耗材|超长|超重|加急|派送费|surcharge|fuel|insurance|packing|handling|tax|duty/;
const freight = /运费|快递费|物流费|配送费|邮费|freight|shipping|basecharge|postage/;
const afterDiscount = /折后|优惠后|折扣后|discounted/;
const whole =
  /应付|应收|实付|实收|实际支付|实际应付|结算|价税合计|价税总|合计|总计|总额|总金额|总费用|总价|总运费|费用总|汇总|共计|grandtotal|total|net|payable|amountdue/;
const anySum = /金额|费用|总|小计|费$|价$|款$|amount|charge|fee|cost|price|subtotal|sum/;

/**
 * The rank of an amount column by its title: 1 the total, 2 a sum of some parts, 3 a sum of unnamed
 * parts, 4 only the freight. For an amount without tax, 0.5 is added to the rank. Null if the title
 * is not an amount.
 */
export const amountRank = (plain: string, inBrackets: string): number | null => {
  if (noAmount.test(plain) || otherSum.test(plain)) return null;
  const untaxed = /不含税|未税|税前|excltax|excl\.?tax|beforetax|untaxed/.test(plain + inBrackets)
    ? 0.5
    : 0;
  if (/subtotal|小计/.test(plain)) return 2 + untaxed;
  const isFreight = freight.test(plain);
  if (whole.test(plain)) return (isFreight || partOnly.test(plain) ? 2 : 1) + untaxed;
  if (afterDiscount.test(plain)) return (isFreight ? 2 : 1) + untaxed;
  if (partOnly.test(plain)) return null;
  if (isFreight) return 4 + untaxed;
  return anySum.test(plain) ? 3 + untaxed : null;
};

/**
 * True if a title is a part of the price other than the freight. The user is asked if a bill has
 * only such amount columns and no total.
 */
export const isPartOfPrice = (plain: string): boolean =>
  !noAmount.test(plain) && !otherSum.test(plain) && partOnly.test(plain) && anySum.test(plain);

/**
 * The rank of a weight column by its title: 1 the billed weight, 2 just "weight", 3 another weight.
 * Null if the title is not a weight.
 */
export const weightRank = (plain: string): number | null => {
  if (
    /计费重|结算重|收费重|计重|计价重|(?:chargeable|billed|billing|charged|rated)weight/.test(plain)
  )
    return 1;
  if (
    /费|价|金额|单位|首重|续重|重新|重复|时间|日期|fee|price|charge$|amount|unit|date/.test(plain)
  )
    return null;
  if (/^(?:重量|weight|weightkg|weightg)$/.test(plain)) return 2;
  return /重|weight/.test(plain) ? 3 : null;
};

/**
 * The rank of a column by its title: 1 a waybill number, 2 a possible waybill number, 3 a package
 * number. Null for the title of any other number.
 */
export const waybillRank = (plain: string): number | null => {
  if (
    /订单|商家|客户|回单|签回|退|返|原单|原运单|关联|交易|流水|发票|对账|账单|结算单|参考|reference|order|return|invoice/.test(
      plain,
    )
  )
    return null;
  if (/子单|子运单|子件|包裹|package/.test(plain)) return /号|no|number|id/.test(plain) ? 3 : null;
  if (
    /^(?:京东)?(?:母|主)?运单(?:编号|号|号码)$|^[母主]单号?$|^(?:物流|快递|快递运|面|物流运)单(?:编)?号码?$|^(?:waybill|tracking|awb|trackingid|deliveryid|deliverynumber)(?:no|number)?$/.test(
      plain,
    )
  )
    return 1;
  return /单号|运单|waybill|tracking|awb|consignment/.test(plain) ? 2 : null;
};
