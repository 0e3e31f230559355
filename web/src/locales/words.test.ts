import { describe, expect, it } from 'vitest';
import { auditActions, auditRoles, auditSubjects } from '@waystation/contract/shell/audit-words.ts';
import { errors } from '@waystation/contract/base/errors.ts';
import { settings } from '@waystation/contract/shell/settings.ts';
import { loginTexts as loginEn } from './en-US/login.ts';
import { enUS } from './en-US/en-US.ts';
import { loginTexts as loginZh } from './zh-CN/login.ts';
import { zhCN } from './zh-CN/zh-CN.ts';

// The table of words in docs/glossary.md. Each row has a rejected word, its replacement, and the
// texts that may still use it.

interface Rule {
  not: RegExp;
  but: string;
  /** Checks only the texts whose keys match. If absent, all texts are checked. */
  within?: RegExp;
  /** The keys of the texts that use the word in another, permitted meaning. */
  except?: readonly string[];
}

const chinese: readonly Rule[] = [
  { not: /操作员/, but: '店员' },
  { not: /网点/, but: '站长', within: /\.role\.station$/ },
  { not: /认账(?!号)/, but: '认可' },
  { not: /对列|列对应|对应列/, but: '匹配列' },
  { not: /月账|账簿|账本/, but: '账期、账目' },
  { not: /重开/, but: '反结账' },
  { not: /核验|核对未/, but: '校验' },
  { not: /停止收付|解除冻结/, but: '暂停收付、恢复收付' },
  { not: /固定冻结/, but: '预留金额' },
  { not: /现在可用/, but: '可用余额' },
  { not: /余额检查|检查余额|校验余额/, but: '余额校验' },
  { not: /后付(?![费款])/, but: '后付费' },
  { not: /价格说明|价格明细|价格依据|为什么/, but: '计费明细' },
  { not: /补差/, but: '差额、补收、退还' },
  { not: /承运商费用|承运商成本|平台成本/, but: '承运成本' },
  { not: /分账/, but: '分润' },
  { not: /固定分润|参与分润/, but: '每单分润、给上级分润' },
  { not: /客户编码|商家代码/, but: '商家编码' },
  { not: /申报价值/, but: '声明价值' },
  { not: /保费/, but: '保价费' },
  { not: /阶梯/, but: '保价档位' },
  { not: /步长/, but: '续重单位' },
  { not: /体积折算/, but: '体积系数' },
  { not: /不配送/, but: '不送达' },
  { not: /顶级/, but: '一级网点' },
  { not: /静默/, but: '无单' },
  { not: /动静/, but: '无更新' },
  { not: /人工分拣|(?<!预)分拣中|待分拣/, but: '人工预分拣' },
  { not: /答复|应答/, but: '返回结果、响应' },
  { not: /需要人工查看/, but: '告警' },
  { not: /两步登录/, but: '两步验证' },
  { not: /动态验证码/, but: '验证码' },
  { not: /会话|登录中/, but: '登录设备' },
  { not: /审计日志/, but: '操作日志' },
  { not: /昵称/, but: '姓名' },
  { not: /空运/, but: '航空' },
  { not: /还没有|没能|没有匹配|没有找到/, but: '暂无、尚未、未、无' },
  { not: /你/, but: '您，或不用人称' },
  { not: /去掉|改好|拦下|写明|扫不了/, but: '移除、修改、填写' },
  { not: /左边|右边|下面|上面|这里|那里/, but: '不说位置' },
  { not: /可不填|可不选/, but: '（选填）' },
  { not: /\d 元|\} 元/, but: '¥' },
  { not: /链头|哈希|摘要/, but: '防篡改凭证', within: /^workplace\./ },
];

const english: readonly Rule[] = [
  { not: /\b(?:stands?|stood)\b/i, but: 'is, appears' },
  { not: /\b(?:tell|told|tells)\b/i, but: 'report, share' },
  { not: /\breckon/i, but: 'estimate, calculate' },
  { not: /\b(?:prove[sd]?|proof)\b/i, but: 'check, verify' },
  {
    not: /\bbooks?\b/i,
    but: 'ledger, period',
    except: [
      'store.book_save',
      'store.book_saved',
      'store.book_from',
      'menu.contacts',
      'error.contact_too_many',
    ],
  },
  { not: /\banew\b/i, but: 'again' },
  { not: /\bby (?:itself|themselves)\b/i, but: 'automatically' },
  { not: /\bsay (?:why|what|where|which)\b/i, but: 'Enter …' },
  { not: /\bnought\b/i, but: 'zero' },
  { not: /\breceivers?\b/i, but: 'recipient' },
  { not: /\bladder\b/i, but: 'insurance tiers' },
  { not: /\bon hold\b/i, but: 'awaiting funds' },
  { not: /\bfrozen\b/i, but: 'held' },
  { not: /\b(?:second step|two-step)\b/i, but: 'two-factor authentication' },
  { not: /\bnickname\b/i, but: 'name' },
  { not: /\bdelivering\b/i, but: 'out for delivery' },
  { not: /\bsilen(?:t|ce)\b/i, but: 'inactive' },
  { not: /\bremarks?\b/i, but: 'note' },
  { not: /\bwhy this price\b/i, but: 'price breakdown' },
  { not: /\b(?:dearest|dearer)\b/i, but: 'highest' },
  { not: /\bthe office\b/i, but: 'an administrator' },
  { not: /\b(?:hash|chain|digest)/i, but: 'tamper evidence', within: /^workplace\./ },
  { not: /\bmust look|has looked\b/i, but: 'review it manually' },
  { not: /\bturned away\b/i, but: 'rejected' },
  { not: /\bleave it\b/i, but: 'discard changes', except: ['contacts.phone_hidden'] },
];

const flat = (texts: object, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flat(value as object, `${prefix}${key}.`),
  );

/** The text without the names of its parameters, which are not displayed. */
const bare = (text: string): string => text.replace(/\{\w+\}/g, '{}');

const pairs = Object.entries({
  error: errors,
  action: auditActions,
  role: auditRoles,
  subject: auditSubjects,
  setting: settings,
}).flatMap(([group, table]) =>
  Object.entries(table).map(
    ([key, words]: [string, { zh: string; en: string }]) => [`${group}.${key}`, words] as const,
  ),
);

const zh = [
  ...flat(zhCN),
  ...flat(loginZh, 'login.'),
  ...pairs.map(([key, words]): [string, string] => [key, words.zh]),
];
const en = [
  ...flat(enUS),
  ...flat(loginEn, 'login.'),
  ...pairs.map(([key, words]): [string, string] => [key, words.en]),
];

describe('the words of the glossary', () => {
  it.each([
    ['Chinese', zh, chinese],
    ['English', en, english],
  ] as const)(
    'the glossary’s words are used in %s, and their rejected neighbours are not',
    (_, texts, rules) => {
      const wrong = rules.flatMap(({ not, but, within, except = [] }) =>
        texts
          .filter(
            ([key, text]) =>
              not.test(bare(text)) && (within?.test(key) ?? true) && !except.includes(key),
          )
          .map(([key, text]) => `${key}: ${text} → ${but}`),
      );
      expect(wrong).toEqual([]);
    },
  );

  it('every exception to a rejected word is needed by a text', () => {
    const idle = [...chinese, ...english].flatMap(({ not, except = [] }) =>
      except.filter(
        (key) => ![...zh, ...en].some(([name, text]) => name === key && not.test(bare(text))),
      ),
    );
    expect(idle).toEqual([]);
  });

  it('a Chinese text of one clause ends without a full stop, and a text of two sentences ends with a full stop', () => {
    const wrong = zh.filter(([, text]) => /。.+[^。？：；\s}]$/.test(text) && !text.includes('\n'));
    expect(wrong).toEqual([]);
  });
});
