import type { ImportField } from '@waystation/contract/imports/import.ts';

/**
 * The titles of a sheet's columns in the template and in the files that the product makes. Each
 * title is recognized as its field when the file is read again.
 */
export const fieldTitles: Readonly<Record<ImportField, { zh: string; en: string }>> = {
  receive_text: { zh: '收件信息', en: 'Recipient info' },
  receive_name: { zh: '收件人姓名', en: 'Recipient' },
  receive_phone: { zh: '收件人电话', en: 'Recipient phone' },
  receive_province: { zh: '省份', en: 'Province' },
  receive_city: { zh: '城市', en: 'City' },
  receive_county: { zh: '区县', en: 'District' },
  receive_address: { zh: '详细地址', en: 'Address' },
  goods: { zh: '物品名称', en: 'Goods' },
  weight: { zh: '重量（kg）', en: 'Weight (kg)' },
  package_count: { zh: '件数', en: 'Pieces' },
  promise_id: { zh: '时效', en: 'Promise' },
  guarantee_value_amount: { zh: '声明价值（元）', en: 'Declared value (¥)' },
  length: { zh: '长（cm）', en: 'Length (cm)' },
  width: { zh: '宽（cm）', en: 'Width (cm)' },
  height: { zh: '高（cm）', en: 'Height (cm)' },
  thr_order_id: { zh: '商家订单号', en: 'Order number' },
  remark: { zh: '备注', en: 'Remark' },
  description: { zh: '说明', en: 'Description' },
  sender_name: { zh: '寄件人姓名', en: 'Sender' },
  sender_phone: { zh: '寄件人电话', en: 'Sender phone' },
  sender_province: { zh: '寄件省份', en: 'Sender province' },
  sender_city: { zh: '寄件城市', en: 'Sender city' },
  sender_county: { zh: '寄件区县', en: 'Sender district' },
  sender_address: { zh: '寄件详细地址', en: 'Sender address' },
};
