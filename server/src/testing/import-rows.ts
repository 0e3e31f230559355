import type { ImportValues } from '@waystation/contract/imports/import.ts';
import type { SheetRules } from '#domain/imports/check.ts';
import { layoutOf } from '#domain/imports/layout.ts';

const sender: ImportValues = {
  sender_name: '示例网点',
  sender_phone: '13800001011',
  sender_province: '广东省',
  sender_city: '深圳市',
  sender_county: '南山区',
  sender_address: '示例科技路2号',
};
export const rules = (titles: readonly string[], defaults: ImportValues = {}): SheetRules => ({
  mapping: layoutOf([titles, titles.map(() => '')]).mapping,
  defaults: { ...sender, ...defaults },
  references: {
    goods: [
      { name: '文件', type: 1, banned: 0, banned_reason: '' },
      { name: '服装', type: 2, banned: 0, banned_reason: '' },
      { name: '打火机', type: 3, banned: 1, banned_reason: '易燃' },
    ],
    promises: [
      {
        provider: 'jdl',
        promise_id: 'ed-1',
        promise_name: '示例标快',
        promise_name_en: 'Example standard',
      },
    ],
    allow_select: 1,
    max_weight: 50_000,
  },
});
export const titles = [
  '收件人',
  '手机',
  '省',
  '市',
  '区',
  '详细地址',
  '物品',
  '重量',
  '件数',
  '时效',
  '保价金额',
  '备注',
];
export const good = [
  '张三',
  '13900139001',
  '上海市',
  '上海市',
  '浦东新区',
  '世纪大道100号',
  '文件',
  '1.5',
  '1',
  '',
  '',
  '',
];
export const row = (changes: Record<number, string>): string[] =>
  good.map((cell, at) => changes[at] ?? cell);
