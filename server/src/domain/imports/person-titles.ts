/**
 * The part of a person's data that a column contains. `region`: province, city and county in one
 * text. `before` and `after`: a part of the address in a separate column, which is put before or
 * after the rest of the address. `company`: recognized, but not used.
 */
export type PersonPart =
  | 'text'
  | 'name'
  | 'surname'
  | 'phone'
  | 'province'
  | 'city'
  | 'county'
  | 'region'
  | 'address'
  | 'before'
  | 'after'
  | 'company';

/**
 * Titles of each part, without the word for the person; earlier lines take precedence. They are
 * compared without spaces, parentheses and punctuation.
 */
const titles: Readonly<Record<PersonPart, readonly string[]>> = {
  text: ['信息 地址信息 联系信息 资料 info information details'],
  name: [
    '姓名 fullname name',
    '名称 名字 名 联系人 联系人姓名 联络人 称呼 contactname contactperson contact person attn',
    'firstname givenname',
  ],
  surname: ['lastname surname familyname'],
  phone: [
    '手机 手机号 手机号码 联系手机 联系手机号 移动电话 mobile mobilephone mobileno mobilenumber cell cellphone',
    '电话 电话号码 联系电话 联系方式 联系号码 phone phoneno phonenumber tel telno telephone contactnumber contactphone contactno',
    '固定电话 固话 座机 备用电话 备用手机 其他电话 第二电话 手机2 电话2 mobile2 phone2 telephone2 alternatephone',
  ],
  company: ['公司 公司名称 公司名 单位 单位名称 company companyname organization organisation'],
  province: [
    '省份 省 省/直辖市 所在省 所在省份 provincename statename',
    'province state statecode provincecode province/state state/province',
  ],
  city: ['城市 市 所在城市 所在市 地级市 city cityname town/city'],
  county: [
    '区县 区/县 县区 县/区 区 县 地区 所在区 所在区县 所在地区 district county districtname',
  ],
  region: ['省市区 省市县 省市区县 省/市/区 省/市/区县 省/市 省市 所在省市 所在省市区'],
  address: [
    '详细地址 街道地址 具体地址 详细住址 详址 详细地址1 address1 addressline1 fulladdress streetaddress streetaddress1',
    '地址 地址1 地址一 住址 联系地址 详细联系地址 address addr addr1 addressline address1&2',
    'street street1 streetname',
  ],
  before: [
    '街道 乡镇 镇街 街道乡镇 乡镇街道 街道/乡镇 乡镇/街道 街道/镇 镇/街道 镇 乡 乡/镇 村 社区 村/社区 社区/村 行政村 村庄 居委会 town township subdistrict village',
  ],
  after: [
    '门牌号 门牌 门牌号码 门号 房号 房间号 房间 室号 室 单元 单元号 楼栋 楼栋号 楼号 栋 栋号 幢 幢号 座 座号 楼层 楼层号 层 小区 小区名称 楼盘 大厦 园区 建筑 建筑物',
    '补充地址 地址补充 附加地址 地址附加 地址2 地址二 地址3 详细地址2 详细地址3 详细地址补充 address2 address3 addressline2 addressline3 addr2 addr3 street2 streetaddress2',
    'unit unitno unitnumber apt aptno apartment apartmentno suite suiteno room roomno building floor house houseno housenumber flat block',
  ],
};

const known = new Map<string, { part: PersonPart; rank: number }>();
for (const [part, lines] of Object.entries(titles) as [PersonPart, readonly string[]][])
  for (const [rank, line] of lines.entries())
    for (const title of line.split(' ')) known.set(title, { part, rank });

/** Words that identify a part within a longer title that is not listed, in the order of search. */
const within: readonly [RegExp, PersonPart][] = [
  [/信息$/, 'text'],
  [/姓名|联系人/, 'name'],
  [/手机|电话|联系方式|(?:phone|mobile)(?:no|number|\d)?$/, 'phone'],
  [/省份/, 'province'],
  [/城市/, 'city'],
  [/区县|地区/, 'county'],
  [/地址|address/, 'address'],
];
/** Words that show that an "address" is not postal, for example an IP or e-mail address. */
const otherAddress = /(?:ip|网|链接|邮箱|邮件|email|mail|mac|web|url)/;
/**
 * A title that contains only a role is a name column if its word denotes a person: 收件人, 客户, Sender.
 * 发货 and 付款 do not, because their columns contain dates and statuses.
 */
const somebody =
  /[人方员者]$|^(?:收件|寄件|发件|收|寄|发|客户|顾客|买家|买方|卖家|商家|店铺|店主|仓库|会员|业务员|司机|团长|recipient|receiver|consignee|addressee|sender|shipper|consignor|customer|buyer|client|to|from|ship to|ship from)$/;

export interface Part {
  part: PersonPart;
  /** If several columns contain the same part, the column with the smallest rank is used. */
  rank: number;
}

const partWithin = (rest: string, isOwned: boolean): Part | null => {
  const found = within.find(([shape, part]) => (isOwned || part !== 'text') && shape.test(rest));
  return found === undefined || (found[1] === 'address' && otherAddress.test(rest))
    ? null
    : { part: found[1], rank: 8 };
};

/**
 * The part of a person's data that is meant by a title without its role; null if none is meant.
 * `isOwned`: true if the title contains a role.
 */
export const partOf = (rest: string, named: { isOwned: boolean; title: string }): Part | null => {
  if (rest === '')
    return named.isOwned && somebody.test(named.title) ? { part: 'name', rank: 0 } : null;
  const exact = known.get(rest);
  if (exact !== undefined) return exact.part === 'text' && !named.isOwned ? null : exact;
  // A title such as 收件人及电话 contains a person's name and further data.
  if (named.isOwned && /^[及与和、/+&]/.test(rest)) return { part: 'name', rank: 9 };
  return partWithin(rest, named.isOwned);
};
