import type { AddressCandidate } from '@waystation/contract/parcels/address.ts';
import { splitRepeatedPrefix } from '@waystation/contract/parcels/division-match.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { Chain } from './reading.ts';
import { findChain, walk } from './chain.ts';
import { doubtedByOther, withPlaceElsewhere } from './other-places.ts';
import { isOffice, nameAtEnd, nameScore, trimName } from './names.ts';
import type { FoundPhone } from './phones.ts';
import type { Marked, Piece } from './pieces.ts';
import { piecesOf } from './pieces.ts';
import { simplified, trimOff } from './text.ts';

interface Name {
  name: string;
  confidence: number;
  /** The code of a virtual number that followed the name. */
  code: string;
}

/** A part of a piece that is not the name of a division. */
interface Rest {
  shown: string;
  before: string;
  piece: Piece;
  /** True if this part follows directly after the divisions in the same piece. */
  glued: boolean;
  /** True if this is the part of the piece before the divisions. */
  prefix: boolean;
  /** True if this part is after the start of the first division in the text. */
  behind: boolean;
}

const noise =
  /^(?:默认|默认地址|复制|复制地址|编辑|修改|删除|家|公司|学校|收|亲收|代收|签收|亲启|收件|收货|收货信息|收件信息|寄件信息|地址|电话|手机|手机号|姓名|中国|男|女|到付|寄付|月结|加急|易碎|谢谢(?:啦|你|您|了|老板|亲)?|多谢|感谢|辛苦了?|拜托了?|尽快[寄发](?:货|出|哦|吧|啦)?|好的|收到|亲|在吗|(?:一?共)?\d{1,3}(?:件|箱|盒|袋|包|份|单)|你好|您好|麻烦了|地址发[你您]了?|[改换]一?下?(?:收货)?地址|tel|phone|\+?86|-+|=+|\*+)$/i;
/** Matches polite words to the sender, which are not part of an address: 麻烦发到这个. */
const courtesy =
  /^(?:请|麻烦|烦请|拜托|务必|记得|尽快|尽早|早点|赶紧|抓紧)[^\d]{0,10}(?:[发寄送](?:货|出|走|件|一下)?|安排|打包|包好|包装好|联系|谢谢)[了哦啊吧啦]?$|^(?:(?:请|麻烦|帮|您|你|把|快递)[^\d]{0,12}[寄发送]|[^\d]{0,8}[寄发送][到往至])(?:[到往至给])?(?:这个|这里|这边|这|以下|下面|如下)?的?(?:地址)?$|^(?:请|麻烦)?帮[我忙](?:[寄发送][^\d]{0,4})$|^发?(?:顺丰|中通|圆通|申通|韵达|京东|邮政|极兔|德邦|ems)[^\d]{0,10}$/i;
const postcode = /^[(（[]?(?:邮编|邮政编码)?:?(?:0[1-9]|[1-8]\d|00)\d{4}[)）\]]?$/;
const longNumber = /^[a-z]{0,4}\d{12,}$/i;
const leadIn =
  /(?:(?:收货|收件|邮寄|家庭)?[地住]址[是为]?|寄到|寄往|寄去|寄至|发到|发往|发至|送到|送至|送往|快递到|我家?住?在|住在|位于|是|在|到)$/;
const leadPostcode = /^(?:0[1-9]|[1-8]\d)\d{4}$/;
const tailPostcode = /[\s,，]?[（(【[](?:邮编|邮政编码)?[:：]?\s?\d{6}[)）】\]]$/;
const marks = ' \n\t,，、.。;；:：/|_~+=-';
const codeAtEnd = /\s?[[(（【](\d{3,6})[\])）】]$/;

/**
 * The phone of a person: the first complete mobile number, else the first complete other number,
 * else any number.
 */
const choosePhone = (phones: readonly FoundPhone[]): FoundPhone | null =>
  phones.find((phone) => phone.number.startsWith('1')) ??
  phones.find((phone) => phone.confidence >= 50) ??
  phones.find((phone) => phone.number) ??
  null;

/**
 * The score of the text `prefix` before an address in the same piece: higher if it may be a name.
 */
const liking = (prefix: string): number => {
  const { name } = trimName(prefix);
  return name.length === 1 ? -2 : nameScore(name) >= 66 ? 3 : 0;
};

const isDropped = (piece: Piece): boolean =>
  piece.label === 'remark' ||
  ((piece.label === 'number' || piece.label === 'postcode') && piece.labelled) ||
  (!piece.labelled &&
    (noise.test(piece.plain) ||
      courtesy.test(piece.plain) ||
      postcode.test(piece.plain) ||
      longNumber.test(piece.plain)));

const joined = (pieces: readonly Piece[]): string => pieces.map((piece) => piece.plain).join(' ');

/**
 * The texts that are neither division names nor meaningless words. `spans` are the positions of the
 * divisions, in order.
 */
const restsOf = (
  pieces: readonly Piece[],
  spans: readonly { start: number; end: number }[],
): Rest[] => {
  const rests: Rest[] = [];
  const first = spans[0]?.start ?? -1;
  for (const piece of pieces) {
    const end = piece.at + piece.plain.length;
    let from = piece.at;
    let glued = false;
    const take = (to: number, prefix: boolean) => {
      const shown = trimOff(piece.shown.slice(from - piece.at, to - piece.at), marks, 'start');
      if (shown)
        rests.push({
          shown,
          before: piece.before,
          piece,
          glued,
          prefix,
          behind: first >= 0 && from >= first,
        });
    };
    for (const span of spans) {
      if (span.end <= from || span.start >= end) continue;
      if (span.start > from) take(span.start, true);
      from = Math.min(span.end, end);
      glued = true;
    }
    if (from < end) take(end, false);
  }
  return rests.filter((rest) => !(rest.glued || rest.prefix) || !noise.test(rest.shown));
};

const labelledName = (rests: Rest[]): { rest: Rest; name: Name } | null => {
  const rest = rests.find(({ piece, glued }) => piece.label === 'name' && piece.labelled && !glued);
  if (!rest) return null;
  const { name, code } = trimName(rest.shown);
  return name ? { rest, name: { name, code, confidence: nameScore(name) >= 20 ? 98 : 85 } } : null;
};

/** How many points the position of a piece adds to, or takes from, its score as a name. */
const placeBonus = (rest: Rest, at: number, rests: readonly Rest[]): number => {
  const { piece } = rest;
  let bonus = 0;
  if (piece.besidePhone) bonus += 10;
  if (rest.prefix || at === 0) bonus += 6;
  else if (at === rests.length - 1) bonus += 4;
  if (piece.ownLine) bonus += 5;
  if (rest.glued) bonus -= 60;
  if (piece.label === 'address' || piece.label === 'region') bonus -= piece.besidePhone ? 10 : 25;
  if (rest.behind && !piece.besidePhone && at > 0 && at < rests.length - 1) bonus -= 14;
  return bonus;
};

const unlabelledName = (rests: Rest[]): { rest: Rest; name: Name } | null => {
  let chosen: { rest: Rest; name: Name; score: number } | null = null;
  for (const [at, rest] of rests.entries()) {
    const { name, code } = trimName(rest.prefix ? rest.shown.replace(leadIn, '') : rest.shown);
    const own = nameScore(name);
    if (own < 15 || rest.piece.label === 'phone') continue;
    const salutation =
      name !== trimOff(rest.shown, marks, 'end') && /收|启/.test(rest.shown) ? 14 : 0;
    const score = own + salutation + placeBonus(rest, at, rests) + (code ? 25 : 0);
    if (score > (chosen?.score ?? -1))
      chosen = {
        rest,
        score,
        name: {
          name,
          code,
          confidence: Math.min(96, Math.max(30, own + Math.min(12, score - own))),
        },
      };
  }
  return chosen && chosen.score >= 50 ? chosen : null;
};

/** Finds a nickname or company by its position, if no text looks like the name of a person. */
const oddName = (rests: Rest[]): { rest: Rest; name: Name } | null => {
  if (rests.length < 2) return null;
  const rest = rests.find(
    ({ piece, glued, prefix, behind }, at) =>
      !glued &&
      (prefix || !behind || piece.besidePhone) &&
      piece.label === null &&
      (piece.besidePhone || at === 0),
  );
  if (!rest) return null;
  const { name, code } = trimName(rest.shown.replace(leadIn, ''));
  return (nameScore(name) >= 15 && name.length <= 20) || isOffice(name)
    ? { rest, name: { name, code, confidence: 45 } }
    : null;
};

/**
 * Takes a name from the end of an address if no separator is between them. Only an address beside
 * the phone or at the end of the text is searched.
 */
const takeNameAtEnd = (rests: Rest[]): Name | null => {
  const last = rests.at(-1);
  for (const rest of rests.filter((each) => each.piece.besidePhone || each === last)) {
    const found = nameAtEnd(rest.shown);
    if (!found) continue;
    rest.shown = rest.shown.slice(0, found.at);
    return { name: found.name, code: '', confidence: rest.piece.besidePhone ? 75 : 65 };
  }
  return null;
};

const findName = (rests: Rest[]): { name: Name | null; left: Rest[] } => {
  const found = labelledName(rests) ?? unlabelledName(rests);
  if (found) return { name: found.name, left: rests.filter((rest) => rest !== found.rest) };
  const glued = takeNameAtEnd(rests);
  if (glued) return { name: glued, left: rests };
  const odd = oddName(rests);
  return odd
    ? { name: odd.name, left: rests.filter((rest) => rest !== odd.rest) }
    : { name: null, left: rests };
};

/**
 * Finds the name of the receiver. The author of a chat message counts only if the text contains no
 * other name.
 */
const takeName = (rests: Rest[]): { name: Name | null; left: Rest[] } => {
  const own = rests.filter(({ piece }) => !piece.chatHead);
  const found = findName(own);
  return found.name || own.length === rests.length
    ? found
    : { name: findName(rests).name, left: own };
};

/**
 * If the first chain of divisions has no county, searches the other pieces for a county within the
 * chain's province and city.
 */
const findCounty = (text: string, pieces: readonly Piece[], chain: Chain): Chain | null => {
  if (
    chain.county ||
    chain.isContradicted ||
    !chain.province ||
    !(chain.city?.children.length ?? 1)
  )
    return null;
  for (const piece of pieces) {
    if (piece.at >= chain.start && piece.at < chain.end) continue;
    const found = walk(text, piece.at, { province: chain.province, city: chain.city, depth: 0 });
    if (found?.county) return found;
  }
  return null;
};

const withCounty = (chain: Chain, more: Chain): Chain => ({
  ...chain,
  city: chain.city ?? more.city,
  county: more.county,
  ambiguous: '',
  sure: {
    ...chain.sure,
    city: chain.city ? chain.sure.city : more.sure.city,
    county: Math.min(95, more.sure.county),
  },
});

/** The street address: the text after the divisions, followed by text from other parts. */
const addressOf = (rests: readonly Rest[], chain: Chain | null): string => {
  const ordered = [...rests.filter((rest) => rest.behind), ...rests.filter((rest) => !rest.behind)];
  const place = {
    province: chain?.province ?? null,
    city: chain?.city ?? null,
    county: chain?.county ?? null,
  };
  let text = '';
  for (const rest of ordered) {
    let shown = rest.prefix ? rest.shown.replace(leadIn, '') : rest.shown;
    if (rest.prefix && leadPostcode.test(shown)) continue;
    if (rest.piece.labelled && chain) shown = splitRepeatedPrefix(place, shown);
    // 粤海街道 粤海街道科技园1号: a labelled address often repeats the end of its region, which is dropped
    // here.
    if (text && shown.startsWith(text)) text = '';
    // 龙岗区龙岗街道 / 详细地址：格水村: the labelled address is joined without a space if the region before it
    // has no spaces.
    const goesOn =
      firstOf(ordered).glued &&
      rest.piece.labelled &&
      rest.piece.label === 'address' &&
      /[街道镇乡村]$/.test(text);
    if (text && shown && !goesOn)
      text += rest.behind === firstOf(ordered).behind ? rest.before : ' ';
    text += shown;
  }
  // 南汇区南汇区惠南镇: a former name that is repeated is removed.
  while (
    chain?.former &&
    !chain.isFormerKept &&
    text.startsWith(chain.former) &&
    !/^[路街大]/.test(text.slice(chain.former.length))
  )
    text = text.slice(chain.former.length);
  return chain ? splitRepeatedPrefix(place, text) : text;
};

const polish = (address: string, extension: string): string => {
  let text = trimOff(address, marks).replace(tailPostcode, '');
  const code = codeAtEnd.exec(text);
  if (code && code[1] === extension) text = text.slice(0, code.index);
  return trimOff(text.replace(/\s+/g, ' ').replace(/\s?([,，、/])\s?/g, '$1'), marks, 'end');
};

const addressSureness = (address: string): number =>
  address === ''
    ? 0
    : address.length < 3
      ? 50
      : /[\da-z号栋楼座室村组队店园路街]/i.test(address)
        ? 95
        : 80;

/**
 * A piece that a user must check: a local number after a phone label, or a mobile number with one
 * digit too few or too many. It is kept unchanged.
 */
const oddPhone = (pieces: readonly Piece[]): Piece | undefined =>
  pieces.find(
    (piece) =>
      (piece.label === 'phone' && piece.labelled && /^[\d-]{5,20}$/.test(piece.plain)) ||
      /^1[3-9]\d{8}(?:\d\d)?$/.test(piece.plain),
  );

/**
 * True if a separate piece repeats only a province or city that was found already:
 * 人民路3号，漳浦县，漳州市，福建省.
 */
const repeats = ({ shown, piece, glued, prefix }: Rest, chain: Chain | null): boolean =>
  chain !== null &&
  !piece.labelled &&
  !glued &&
  !prefix &&
  [chain.province, chain.city].some(
    (place) => place && [place.name, place.short].includes(simplified(shown)),
  );

/** Reads the data of one person; null if the text has no phone, no place and no name. */
export const readRecord = (marked: Marked): Omit<AddressCandidate, 'source'> | null => {
  const all = piecesOf(marked);
  const phone = choosePhone(marked.phones);
  const odd = phone ? undefined : oddPhone(all);
  const kept = all.filter((piece) => piece !== odd && !isDropped(piece));
  let at = 0;
  for (const piece of kept) {
    piece.at = at;
    at += piece.plain.length + 1;
  }
  const text = joined(kept);
  const first = findChain(
    text,
    kept.map((piece) => piece.at),
    liking,
  );
  const more = first && findCounty(text, kept, first);
  const elsewhere = first && withPlaceElsewhere(first, text, kept);
  const joint = elsewhere ? elsewhere.chain : first && more ? withCounty(first, more) : first;
  const chain =
    joint && !elsewhere
      ? doubtedByOther(
          joint,
          text,
          kept.filter(
            ({ at: from, label, labelled, chatHead }) =>
              from !== more?.start && !chatHead && !(label === 'name' && labelled),
          ),
        )
      : joint;
  const spans = [first, more, elsewhere?.place ?? null]
    .filter((each) => each !== null)
    .toSorted((a, b) => a.start - b.start);
  const { name, left } = takeName(restsOf(kept, spans).filter((rest) => !repeats(rest, chain)));
  const extension = phone?.extension || (phone?.number.startsWith('1') ? (name?.code ?? '') : '');
  const address = polish(addressOf(left, chain), extension);
  if (!phone && !odd && !chain && !name && !address) return null;
  return {
    name: name?.name ?? '',
    phone: phone?.number ?? odd?.plain ?? '',
    extension,
    province: chain?.province?.name ?? '',
    city: chain?.city?.name ?? '',
    county: chain?.county?.name ?? chain?.ambiguous ?? '',
    address,
    confidence: {
      name: name?.confidence ?? 0,
      phone: phone?.confidence ?? (odd ? 20 : 0),
      ...(chain?.sure ?? { province: 0, city: 0, county: 0 }),
      address: addressSureness(address),
    },
  };
};
