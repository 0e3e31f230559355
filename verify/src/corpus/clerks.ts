import { row } from './parcels.ts';
import { shop as sheet } from './shops-table.ts';
import type { HandMade } from './workbook-xml.ts';

/** Sheets as clerks write them, some with formulas. The recipients are invented. */
export const clerks: readonly HandMade[] = [
  sheet(
    'clerk-grams.csv',
    'weights in grams and sides in millimetres by their titles, formulas that found nothing',
    [
      ['收件人', '手机', '收件地址', '物品', '重量(g)', '长(mm)', '宽(mm)', '高(mm)', '备注'],
      [
        '张示例',
        '13800138001',
        '上海市浦东新区示例路 1 号',
        '文件',
        '30',
        '305',
        '200',
        '100',
        '#N/A',
      ],
      ['李示例', '13900139002', '#N/A', '文件', '1.5kg', '', '', '', ''],
    ],
    {
      rows: [
        row(
          2,
          {
            receive_name: '张示例',
            receive_phone: '13800138001',
            receive_province: '上海市',
            receive_city: '上海市',
            receive_county: '浦东新区',
            receive_address: '示例路 1 号',
            goods: '文件',
            weight: '0.03',
            length: '31',
            width: '20',
            height: '10',
          },
          'repaired',
          [
            'remark: 已更正，原为“#N/A”',
            'weight: 已更正，原为“30克”',
            'length: 已更正，原为“305毫米”',
            'width: 已更正，原为“200毫米”',
            'height: 已更正，原为“100毫米”',
          ],
        ),
        row(
          3,
          {
            receive_name: '李示例',
            receive_phone: '13900139002',
            receive_address: '#N/A',
            goods: '文件',
            weight: '1.5',
          },
          'error',
          [
            'receive_province: 请填写省、市、区县',
            'weight: 已更正，原为“1.5kg”',
            'receive_address: 表格公式出错（#N/A），请填写实际内容',
          ],
        ),
      ],
    },
  ),
  sheet(
    'clerk-sender-address.csv',
    'a sender whose region is in the address alone',
    [
      ['寄件人', '寄件电话', '寄件地址', '收件人', '手机', '收件地址', '物品', '重量'],
      [
        '钱示例',
        '13700137001',
        '北京市朝阳区示例路 9 号',
        '张示例',
        '13800138001',
        '上海市浦东新区示例路 1 号',
        '文件',
        '1.5',
      ],
    ],
    {
      rows: [
        row(2, {
          receive_name: '张示例',
          receive_phone: '13800138001',
          receive_province: '上海市',
          receive_city: '上海市',
          receive_county: '浦东新区',
          receive_address: '示例路 1 号',
          goods: '文件',
          weight: '1.5',
          sender_name: '钱示例',
          sender_phone: '13700137001',
          sender_address: '示例路 9 号',
        }),
      ],
    },
  ),
  sheet(
    'clerk-name-and-phone.csv',
    'name and phone in one column, the whole address in another',
    [
      ['联系人/电话', '收件地址', '物品', '重量'],
      ['张示例 13800138001', '上海市浦东新区示例路 1 号', '文件', '1.5'],
    ],
    {
      asks: true,
      rows: [
        row(2, {
          receive_text: '张示例 13800138001',
          receive_name: '张示例',
          receive_phone: '13800138001',
          receive_province: '上海市',
          receive_city: '上海市',
          receive_county: '浦东新区',
          receive_address: '示例路 1 号',
          goods: '文件',
          weight: '1.5',
        }),
      ],
    },
  ),
  sheet(
    'clerk-totals.csv',
    'a heading and a date above the titles, sums at the end',
    [
      ['六月发货表'],
      ['制表日期', '2026-06-01'],
      ['收件人', '手机', '收件地址', '物品', '重量'],
      ['张示例', '13800138001', '上海市浦东新区示例路 1 号', '文件', '1.5'],
      ['合计：1 单', '', '', '', '1.5'],
    ],
    {
      rows: [
        row(4, {
          receive_name: '张示例',
          receive_phone: '13800138001',
          receive_province: '上海市',
          receive_city: '上海市',
          receive_county: '浦东新区',
          receive_address: '示例路 1 号',
          goods: '文件',
          weight: '1.5',
        }),
        row(5, { receive_name: '合计：1 单', weight: '1.5' }, 'excluded', [
          '合计行，不下单；如是运单请恢复此行',
          'receive_phone: 必填',
          'receive_province: 请填写省、市、区县',
          'receive_address: 必填',
          'goods: 必填',
        ]),
      ],
    },
  ),
];
