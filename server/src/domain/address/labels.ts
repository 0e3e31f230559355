import { present } from '@waystation/contract/base/present.ts';
/**
 * The kinds of labels. A label is a word before a colon, and it shows the kind of the text after
 * the colon.
 */
export type LabelKind = 'name' | 'phone' | 'region' | 'address' | 'postcode' | 'number' | 'remark';

export interface Label {
  start: number;
  end: number;
  kind: LabelKind;
  word: string;
  /** True if the label is for the sender's data. */
  sender: boolean;
}

/** Labels of an address that also contain its owner or kind: 单位地址, 退货地址. */
const addressOf = [
  '收货人 收件人 收件方 收货方 寄件人 发件人 收货 收件 寄件 寄货 发件 发货 详细 街道 具体 完整 准确 邮寄 寄送 寄付 投递 派送 配送 送货 送达 送件 到货 快递 物流 联系 联络 通讯 通信',
  '家庭 家里 家 单位 公司 企业 学校 宿舍 工作 办公 工厂 仓库 店铺 门店 商店 档口 退货 退件 退换货 换货 返货 返修 返件 维修 售后 取件 取货 提货 上门 安装 收票 发票 所在 居住 现住 住宅 常用 默认 新 户籍 客户 顾客 会员 邮箱 驿站 小区 村庄 工地 项目 厂区 工作单位 就读学校 现 现在 本人 个人 真实',
  '详细收货 详细收件 详细联系 详细家庭 详细居住 详细邮寄 详细通讯 具体收货 收货详细 收件详细 客户收货 新收货',
]
  .flatMap((words) => words.split(' '))
  .flatMap((word) => [`${word}地址`, `${word}住址`])
  .join(' ');

/**
 * The words of labels. A `strong` word ends the value directly before it (张三电话:…). A `weak` word
 * may be part of a value, so it must follow a boundary. The sign `_` stands for a space.
 */
const words: Record<LabelKind, { strong: string; weak: string }> = {
  name: {
    strong:
      '收货人姓名 收件人姓名 收件人名称 收件姓名 收货姓名 收货人 收件人 收货方 收件方 联系人姓名 联系人 客户姓名 买家姓名 签收人 寄件人姓名 发件人姓名 寄件人 发件人 发货人 寄件方 姓名',
    weak: '名 名字 客户 买家 收件 收货 收 寄件 发件 寄 to name consignee receiver recipient contact from sender',
  },
  phone: {
    strong:
      '虚拟号码 虚拟号 虚拟电话 隐私号码 隐私号 隐私电话 中间号 收货人手机号码 收件人手机号码 收货人手机号 收件人手机号 收货人电话 收件人电话 收件电话 收货电话 寄件人电话 发件人电话 寄件人手机号 寄件人手机 收件人手机 收货人手机 联系电话 联系方式 联系手机 手机号码 手机号 手机 电话号码 移动电话 固定电话 备用电话 备用手机 备用号码 座机号码 座机 固话 电话',
    weak: '电 号码 备用 tel telephone phone mobile cell cellphone mob',
  },
  region: {
    strong:
      '所在地区 所在区域 所在省市区 所在城市 收货地区 收件地区 收货区域 收件区域 收货城市 收件城市 目的地区 省市区县 省市区 省/市/区 所在省市',
    weak: '所在地 地区 区域 省份 省 城市 市 区县 区/县 县区 县/区 区 县 街道 乡镇 province city district county',
  },
  address: {
    strong: `${addressOf} 住址 地址 楼号门牌 门牌号`,
    weak: '址 详细 门牌 address addr add delivery_address shipping_address mailing_address home_address street_address',
  },
  postcode: { strong: '邮政编码 邮编', weak: 'zip zipcode postcode postal' },
  number: {
    strong:
      '订单编号 订单号 运单号 快递单号 物流单号 身份证号码 身份证号 身份证 微信号 旺旺号 客户编号 会员号',
    weak: '编号 单号 订单 数量 件数 重量 金额 时间 日期 序号 微信 旺旺 qq',
  },
  remark: {
    strong: '买家留言 客户备注 订单备注 备注信息 备注 留言 商品名称 商品信息 物品名称',
    weak: '商品 物品 货品 规格 说明 标签',
  },
};

interface Word {
  kind: LabelKind;
  strong: boolean;
}
const known = new Map<string, Word>();
for (const kind of Object.keys(words) as LabelKind[]) {
  for (const word of words[kind].strong.split(' ')) known.set(word, { kind, strong: true });
  for (const word of words[kind].weak.split(' '))
    known.set(word.replaceAll('_', ' '), { kind, strong: false });
}
const longest = Math.max(...Array.from(known.keys(), (word) => word.length));
const alternatives = Array.from(known.keys())
  .filter((word) => present(known.get(word)).strong)
  .toSorted((a, b) => b.length - a.length)
  .join('|');
/** Labels without a colon, at the start of a line or after a separator. */
const bare = new RegExp(String.raw`(?<=^|[\s,;|[])(?:${alternatives})(?=[\s,\]]|$)`, 'g');
const long = alternatives
  .split('|')
  .filter(
    (word) =>
      word.length >= 3 &&
      !/^(?:门牌号|身份证|微信号|旺旺号|新地址|家地址|现地址|中间号)/.test(word),
  )
  .join('|');
/**
 * Labels that need no separator after them: words too long to be part of a name or address, and 电话
 * after the end of a piece.
 */
const glued = new RegExp(
  String.raw`(?:${long}|(?<=^|[\s,;|\d])电话)[是为]?(?=[\p{Script=Han}\d+(])`,
  'gu',
);
const boundary = /[^\p{Script=Han}\p{Letter}]/u;

const make = (
  plain: string,
  { start, end }: { start: number; end: number },
  word: string,
  kind: LabelKind,
): Label => ({
  start,
  end,
  kind,
  word,
  sender:
    /^(?:寄|发|from|sender)/.test(word) && kind !== 'number' && !plain.startsWith('发货单', start),
});

/** Matches a label that is printed with spaces between its characters: 姓 名, 地 址. */
const spacedWord = /^\p{Script=Han}[^\S\n]{1,4}\p{Script=Han}$/u;

/** The longest label word that ends at the position `end`; null if there is none. */
const wordBefore = (
  plain: string,
  end: number,
  from: number,
): { start: number; word: string; kind: LabelKind } | null => {
  for (let start = Math.max(from, end - longest); start < end; start += 1) {
    const word = plain.slice(start, end).toLowerCase();
    const label = known.get(spacedWord.test(word) ? word.replaceAll(/\s/g, '') : word);
    if (label && (label.strong || start === from || boundary.test(plain[start - 1]!)))
      return { start, word, kind: label.kind };
  }
  return null;
};

const colon = /\s{0,3}[:=]\s{0,2}/g;

/** All labels in a text, in order. */
export const findLabels = (plain: string): Label[] => {
  const found: Label[] = [];
  let from = 0;
  for (const match of plain.matchAll(colon)) {
    const before = wordBefore(plain, match.index, from);
    if (!before) continue;
    from = match.index + match[0].length;
    found.push(make(plain, { start: before.start, end: from }, before.word, before.kind));
  }
  const free = (start: number, end: number) =>
    !found.some((label) => start < label.end && end > label.start);
  const loose = [...plain.matchAll(bare), ...plain.matchAll(glued)];
  // A regular text has few labels without colons. The number is limited so that a malicious text
  // cannot make this step quadratic.
  for (const match of loose.slice(0, 400)) {
    const end = match.index + match[0].length;
    if (free(match.index, end))
      found.push(
        make(
          plain,
          { start: match.index, end },
          match[0],
          present(known.get(match[0].replace(/[是为]$/, ''))).kind,
        ),
      );
  }
  return found.toSorted((a, b) => a.start - b.start);
};
