import type { ImportField } from '@waystation/contract/imports/import.ts';

/**
 * Fields of the parcel itself. The columns of a name, phone or address are found in
 * `person-titles.ts`.
 */
export type ParcelField = Exclude<ImportField, `receive_${string}` | `sender_${string}`>;

/**
 * Titles that people, shops and other programs use, the most specific first. They are compared
 * without spaces, punctuation and text in parentheses.
 */
export const columnTitles: Readonly<Record<ParcelField, readonly string[]>> = {
  goods: [
    '物品名称',
    '货物名称',
    '托寄物',
    '托寄物名称',
    '物品',
    '品名',
    '商品名称',
    '宝贝名称',
    '商品',
    '货品名称',
    '内件品名',
    'goodsname',
    'goods',
    'item',
    'itemname',
    'lineitemname',
    'content',
    'contents',
    'product',
  ],
  weight: ['重量', '包裹重量', '实际重量', '毛重', '总重量', 'weight', 'weightkg', 'grossweight'],
  package_count: [
    '件数',
    '包裹数',
    '包裹数量',
    '箱数',
    'pieces',
    'packages',
    'packagecount',
    'parcels',
  ],
  promise_id: [
    '时效',
    '产品',
    '产品类型',
    '快递产品',
    '服务类型',
    '业务类型',
    '时效产品',
    'promise',
    'service',
    'product type',
    'servicetype',
  ],
  guarantee_value_amount: [
    '声明价值',
    '保价金额',
    '保价',
    '保价声明价值',
    'declaredvalue',
    'insuredvalue',
    'insurance',
  ],
  length: ['长', '长度', 'length'],
  width: ['宽', '宽度', 'width'],
  height: ['高', '高度', 'height'],
  thr_order_id: [
    '第三方单号',
    '商家订单号',
    '客户订单号',
    '订单编号',
    '订单号',
    '平台订单号',
    '外部单号',
    '原始单号',
    'ordernumber',
    'orderno',
    'orderid',
    'order',
    'reference',
    'referenceno',
  ],
  remark: [
    '备注',
    '卖家备注',
    '商家备注',
    '订单备注',
    '买家留言',
    '留言',
    'remark',
    'remarks',
    'note',
    'notes',
    'comment',
  ],
  description: ['说明', '描述', '内部说明', 'description'],
};

/**
 * Titles that must match completely, because a longer title such as 货物重量 or 货品编码 is not the title
 * of the goods.
 */
export const wholeTitles: Readonly<Partial<Record<ParcelField, readonly string[]>>> = {
  goods: ['货品', '货物', '宝贝'],
};
