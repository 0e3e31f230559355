import { visibleText } from '@waystation/contract/base/visible-text.ts';
import { firstOf, present } from '@waystation/contract/base/present.ts';

/**
 * The person to whom a column belongs. `customer` is the recipient if no title contains a
 * recipient. `unclear`: the title contains two persons.
 */
export type TitleRole = 'recipient' | 'customer' | 'sender' | 'other' | 'unclear';

export interface OwnedTitle {
  role: TitleRole | null;
  /** The title without its role, parentheses, spaces and punctuation. */
  rest: string;
  /** The word of the role; '' if there is none or it is in parentheses. */
  word: string;
  /** The words of the title without the text in parentheses. */
  main: string;
}

type Owner = Exclude<TitleRole, 'unclear'>;

/**
 * The words of each role in column titles. If several words begin at the same position, the longest
 * counts. If a title contains several words, the last one counts: 代发收件人 is the recipient.
 */
const chinese: Readonly<Record<Owner, string>> = {
  recipient:
    '寄往 寄到 寄至 寄给 发往 发到 发至 发给 收件 收货 收貨 收方 送货 送件 送达 派送 派件 配送 到货 到件 目的地 目的 提货 收',
  customer: '客户 顾客 买家 买方 买受 用户',
  sender: '寄件 寄货 寄方 寄出 发件 发货 發貨 发方 发出 始发 始发地 起运 起运地 寄 发',
  other: [
    '付款 支付 下单 订货 订购 购买 仓库 仓 店铺 店主 店长 店 门店 网店 卖家 卖方 商家 商户 供应商 供货 厂家 工厂 退货 退件 退回 退款 业务员 业务 代发 代理 代收 代收货 签收 客服 销售',
    '经办 制单 制表 录入 操作员 操作 开票 发票 账单 财务 司机 快递员 配送员 派送员 派件员 取件员 取件 揽收 揽件 推荐 推广 团长 网点 站点 紧急 会员 注册 用户名 用户昵称 寄送',
  ].join(' '),
};
const english: Readonly<Record<Owner, string>> = {
  recipient:
    'ship to,shipped to,shipping to,shipping,ship,delivery to,deliver to,delivery,recipient,receiver,consignee,addressee,destination,dest,to',
  customer: 'customer,buyer,client,purchaser',
  sender: 'ship from,shipped from,shipping from,shipper,sender,consignor,from,origin,dispatch',
  other: [
    'billing,bill to,bill,payer,payment,paid by,sold to,merchant,seller,store,shop,warehouse,vendor,supplier,return,returns,agent,sales,salesperson,pickup,pick up,collection',
    'driver,courier,account,member,emergency,invoice',
  ].join(','),
};

const ownerOf = new Map<string, Owner>();
for (const owner of Object.keys(chinese) as Owner[]) {
  for (const word of chinese[owner].split(' ')) ownerOf.set(word, owner);
  for (const word of english[owner].split(',')) ownerOf.set(word, owner);
}
const longestFirst = [...ownerOf.keys()].toSorted((one, other) => other.length - one.length);
const roleWords = new RegExp(
  longestFirst.map((word) => (/^[a-z]/.test(word) ? String.raw`\b${word}\b` : word)).join('|'),
  'g',
);

/** The number of a title's characters that are read. */
const titleChars = 100;
/** Words that some programs join to the next word without a space: Recipientname. */
const joined =
  /\b(ship(?=to|from)|shipto|shipfrom|shipping|recipient|receiver|consignee|delivery|sender|shipper|billing|buyer|customer)(?=[a-z])/g;

/**
 * The title in lower case, with one space between words, and without spaces beside Chinese
 * characters.
 */
const spaced = (title: string): string =>
  visibleText(title.slice(0, titleChars))
    .normalize('NFKC')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[\s_\-.:*#"“”'’]+/g, ' ')
    .replaceAll(joined, '$1 ')
    .trim();

const bracketed = /[([【{<][^)\]】}>]{0,40}[)\]】}>]/g;
const compact = (text: string): string => text.replaceAll(/\s+/g, '');

const withoutRole = (text: string): string =>
  compact(
    text.replaceAll(roleWords, ' ').replaceAll(/^\s*[人方员的]+(?=.)|^\s*[人方员]\s*$/g, ' '),
  );

const rolesIn = (text: string): { role: TitleRole | null; word: string; rest: string } => {
  const words = text.match(roleWords) ?? [];
  // A title such as 收货人手机号/提货人手机号 contains the same part twice.
  const parts = text.split(/[/、|,]/);
  const rest = withoutRole(
    parts.every((part) => part.search(roleWords) >= 0) ? firstOf(parts) : text,
  );
  const owners = new Set(words.map((word) => present(ownerOf.get(word))));
  const last = words.at(-1);
  if (last === undefined) return { role: null, word: '', rest };
  // 收货人/提货人 means one person, 寄件人/收件人 means two.
  const isDivided = owners.size > 1 && /[/、或&|,]/.test(text);
  return { role: isDivided ? 'unclear' : present(ownerOf.get(last)), word: last, rest };
};

const isSame = (one: TitleRole, other: TitleRole): boolean =>
  one === other || [one, other].every((role) => role === 'recipient' || role === 'customer');

/**
 * The role in a title's words or parentheses, and the rest of the title: 电话(收件人) and 收件人电话 are both
 * the recipient's 电话.
 */
export const readTitle = (title: string): OwnedTitle => {
  const text = spaced(title);
  const words = text.replaceAll(bracketed, ' ').trim();
  const { role: own, word, rest } = rolesIn(words);
  const inBrackets = (text.match(bracketed) ?? [])
    .map((part) => rolesIn(part.slice(1, -1)).role)
    .filter((role) => role !== null);
  const roles = [...inBrackets, ...(own === null ? [] : [own])];
  const [first] = roles;
  const found = { rest, word, main: words };
  if (first === undefined) return { ...found, role: null };
  const isClear = roles.every((each) => isSame(each, first));
  return {
    ...found,
    role: !isClear ? 'unclear' : roles.includes('recipient') ? 'recipient' : first,
  };
};
