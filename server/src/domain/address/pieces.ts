import { firstOf, lastOf } from '@waystation/contract/base/present.ts';
import type { FoundPhone } from './phones.ts';
import { findPhones } from './phones.ts';
import type { Label, LabelKind } from './labels.ts';
import { findLabels } from './labels.ts';
import type { Text } from './text.ts';
import { trimOff } from './text.ts';

/** A part of the text between separators, labels and phones. */
export interface Piece {
  plain: string;
  shown: string;
  /**
   * The position of the piece in the text that joins all pieces with one character between them.
   */
  at: number;
  /**
   * The separator before the piece, if it may occur inside an address (',' or '/'), otherwise a
   * space.
   */
  before: string;
  label: LabelKind | null;
  /** True if the piece is the first one after its label. */
  labelled: boolean;
  besidePhone: boolean;
  /** True if the piece is alone on its line. */
  ownLine: boolean;
  /** True for a line of a chat log with an author and a time. */
  chatHead: boolean;
}

export interface Marked {
  text: Text;
  phones: FoundPhone[];
  labels: Label[];
}

interface Range {
  start: number;
  end: number;
  phone?: FoundPhone;
  label?: Label;
  /** True if the piece is a date or a time. */
  moment?: boolean;
}

const dates =
  /(?<!\d)(?:20\d\d[-/.年]\d{1,2}[-/.月]\d{1,2}日?(?:[\s,]{1,2}(?:上午|下午)?\d{1,2}:\d{2}(?::\d{2})?)?|\d{1,2}:\d{2}(?::\d{2})?)(?!\d)/g;
/** Matches the numbers of a list: 1. 张三 …, (2) 李四 …. */
const bullets = /(?<=^|\n)[^\S\n]{0,4}(?:\(\d{1,3}\)|\d{1,3}[.),:])(?!\d)[^\S\n]{0,4}/g;

/**
 * Matches mentions such as @小王, and the words that a chat copies in place of stickers and pictures,
 * such as [玫瑰].
 */
const stickers =
  /\[(?:图片|照片|语音|视频|文件|链接|位置|名片|红包|表情|动画表情|玫瑰|微笑|呲牙|愉快|害羞|调皮|偷笑|憨笑|捂脸|抱拳|握手|合十|强|胜利|爱心|太阳|咖啡|蛋糕|礼物|拥抱|鼓掌|庆祝|加油|好的|ok)\]|(?<=^|\s)@[^\s@]{1,20}(?=\s)/gi;
/** Matches requests to the shop before a colon, which are not part of an address: 老板发这里：, 麻烦寄到：. */
const requests =
  /(?<=^|[\n,;])[^\S\n]{0,4}(?:请|麻烦|帮|老板|亲|你好|您好|把|改|换|就?[寄发送])[^\d\n:,;]{0,10}(?:[寄发送]|地址)[^\d\n:,;]{0,4}[:,]/g;

const overlaps = (ranges: readonly Range[], start: number, end: number): boolean =>
  ranges.some((range) => start < range.end && end > range.start);

/** The range of a remark in the text. It ends at the end of the line or at the next label. */
const remarkRange = (label: Label, next: Label | undefined, plain: string): Range => {
  const line = plain.indexOf('\n', label.end);
  return {
    start: label.start,
    end: Math.min(line < 0 ? plain.length : line, next?.start ?? plain.length),
  };
};

/**
 * Finds the labels, phones and remarks of a text. A phone inside a remark counts only if there is
 * no other phone in the text.
 */
export const mark = (text: Text): Marked => {
  const labels = findLabels(text.plain);
  const phones = findPhones(text.plain);
  const remarks = labels.flatMap((label, at) =>
    label.kind === 'remark' ? [remarkRange(label, labels[at + 1], text.plain)] : [],
  );
  if (!remarks.length) return { text, phones, labels };
  const outside = phones.filter((phone) => !overlaps(remarks, phone.start, phone.end));
  return { text, phones: outside.length ? outside : phones, labels };
};

/**
 * The part of a marked text from `start` to `end`. Phones and labels that are only partly inside
 * are left out.
 */
export const part = (marked: Marked, start: number, end: number): Marked => {
  const shift = <T extends Range>(range: T): T => ({
    ...range,
    start: range.start - start,
    end: range.end - start,
  });
  const inside = (range: Range) => range.start >= start && range.end <= end;
  return {
    text: {
      plain: marked.text.plain.slice(start, end),
      shown: marked.text.shown.slice(start, end),
    },
    phones: marked.phones.filter(inside).map(shift),
    labels: marked.labels.filter(inside).map(shift),
  };
};

const reach = 24;
/** (张三 138…) after an address: the parentheses belong neither to the name nor to the phone. */
const bracketsAround = (plain: string, phone: Range): Range[] => {
  const before = plain.slice(Math.max(0, phone.start - reach), phone.start);
  const after = plain.slice(phone.end, phone.end + reach);
  const open = before.lastIndexOf('(');
  const close = after.indexOf(')');
  if (
    open < 0 ||
    close < 0 ||
    before.indexOf(')', open) >= 0 ||
    after.slice(0, close).includes('(')
  )
    return [];
  const start = phone.start - before.length + open;
  return [
    { start, end: start + 1 },
    { start: phone.end + close, end: phone.end + close + 1 },
  ];
};

/**
 * All parts of the text that belong neither to a name nor to an address, in order and without
 * overlaps.
 */
const cuts = ({ text, phones, labels }: Marked): Range[] => {
  const found: Range[] = [
    ...phones.map((phone) => ({ start: phone.start, end: phone.end, phone })),
    ...labels.map((label) => ({ start: label.start, end: label.end, label })),
  ];
  for (const shape of [dates, bullets, stickers, requests])
    for (const match of text.plain.matchAll(shape))
      found.push({
        start: match.index,
        end: match.index + match[0].length,
        moment: shape === dates,
      });
  for (const phone of phones) found.push(...bracketsAround(text.plain, phone));
  found.sort(
    (a, b) => a.start - b.start || Number(b.phone !== undefined) - Number(a.phone !== undefined),
  );
  let end = -1;
  return found.filter((range) => {
    if (range.start < end) return false;
    end = range.end;
    return true;
  });
};

/**
 * Matches the separators between pieces. Square brackets are separators too, except around the code
 * of a virtual number, 张三[1234], and within an address: 关山大道[光谷]软件园.
 */
const separators =
  /(?:[\s,;|/"<>{}]|\[(?!\d{3,6}\])(?!(?<=[路街道号区镇村园苑城楼栋幢座厦场院店]\[)[^[\]\s]{1,12}\][\p{Script=Han}\da-z])|(?<!\d{3})(?<![路街道号区镇村园苑城楼栋幢座厦场院店]\[[^[\]\s]{1,12}(?=\][\p{Script=Han}\da-z]))\])+/giu;
const edge = "-+_~.=:'#\\·";

/** The separator itself if an address may contain it, otherwise a space. */
const beforeOf = (gap: string): string => /[,，、/]/.exec(gap)?.[0] ?? ' ';

interface State {
  pieces: Piece[];
  label: Label | null;
  used: boolean;
  /** The characters that were skipped since the last piece, in both forms of the text. */
  gap: string;
  shownGap: string;
  at: number;
}

const isWord = (text: string): boolean => /^[a-z][a-z.'-]*$/i.test(text);

const addPiece = (state: State, plain: string, shown: string): void => {
  const open = trimOff(plain, edge, 'start');
  const bare = trimOff(open, edge.replace('#', ''), 'end');
  if (!bare) return;
  const lead = plain.length - open.length;
  const kept = shown.slice(lead, lead + bare.length);
  const last = state.pieces.at(-1);
  // Latin words with single spaces between them are one name, such as Mary Ann Lee.
  if (
    last &&
    state.gap === ' ' &&
    isWord(bare) &&
    isWord(last.plain) &&
    !(state.label && !state.used)
  ) {
    last.plain += ` ${bare}`;
    last.shown += ` ${kept}`;
    state.at += bare.length + 1;
  } else {
    const kind = state.label?.kind ?? null;
    state.pieces.push({
      plain: bare,
      shown: kept,
      at: state.at,
      before: beforeOf(state.shownGap),
      label: kind,
      labelled: kind !== null && !state.used,
      besidePhone: false,
      ownLine: state.gap.includes('\n'),
      chatHead: false,
    });
    state.at += bare.length + 1;
  }
  state.used = true;
  state.gap = '';
  state.shownGap = '';
};

const addStretch = (state: State, plain: string, shown: string): void => {
  let from = 0;
  const take = (end: number) => {
    if (end > from) addPiece(state, plain.slice(from, end), shown.slice(from, end));
  };
  for (const match of plain.matchAll(separators)) {
    take(match.index);
    state.gap += match[0];
    state.shownGap += shown.slice(match.index, match.index + match[0].length);
    // A label applies to the rest of its line. A label for a name, phone, postcode or number
    // applies to only one piece.
    if (
      state.label &&
      state.used &&
      (match[0].includes('\n') || /^(?:name|number|postcode|phone)$/.test(state.label.kind))
    )
      state.label = null;
    from = match.index + match[0].length;
  }
  take(plain.length);
};

/** Divides the text of one person into pieces, in order. */
export const piecesOf = (marked: Marked): Piece[] => {
  const { plain, shown } = marked.text;
  const state: State = { pieces: [], label: null, used: false, gap: '\n', shownGap: '', at: 0 };
  let from = 0;
  let afterPhone = false;
  for (const range of [...cuts(marked), { start: plain.length, end: plain.length } as Range]) {
    const count = state.pieces.length;
    addStretch(state, plain.slice(from, range.start), shown.slice(from, range.start));
    const first = state.pieces[count];
    if (first) {
      first.besidePhone ||= afterPhone;
      afterPhone = false;
      if (range.phone) lastOf(state.pieces).besidePhone = true;
    }
    if (range.phone) afterPhone = true;
    const added = state.pieces.slice(count);
    if (
      range.moment &&
      added.length === 1 &&
      firstOf(added).ownLine &&
      /^[^\S\n]*(?:\n|$)/.test(plain.slice(range.end, range.end + 8))
    )
      firstOf(added).chatHead = true;
    if (range.label) Object.assign(state, { label: range.label, used: false });
    else if (range.phone) state.label = null;
    state.gap += ' ';
    from = range.end;
  }
  for (const [at, piece] of state.pieces.entries())
    piece.ownLine &&= state.pieces[at + 1]?.ownLine ?? true;
  return state.pieces;
};
