import type { Envelope } from '@waystation/contract/base/envelope.ts';
import { failed, succeeded } from './answer.ts';
import type { MockRequest } from './answer.ts';

const heights = [58, 81, 53, 90, 64, 88, 49, 79] as const;
const day = 86_400_000;
const shanghai = 8 * 3_600_000;

const dayOf = (time: number): string => new Date(time + shanghai).toISOString().slice(0, 10);

interface Point {
  /** A day in Asia/Shanghai, as YYYY-MM-DD. */
  x: string;
  y: number;
}

/** Values for the last eight days, including today. */
export const contentData = ({ now }: MockRequest): Envelope<Point[]> =>
  succeeded(
    heights.map((y, at) => ({ x: dayOf(now.getTime() - (heights.length - 1 - at) * day), y })),
  );

const titles = {
  text: ['夏季打包要点', '怎样写对一个地址', '易碎品的三层包装', '保价该填多少', '退回件如何再寄'],
  image: ['图说面单各区', '二十种禁寄物品', '分拣中心的一夜', '站点门头样式', '纸箱尺码对照'],
  video: ['三十秒学会称重', '新站点开张记', '一单的旅程', '雨天派送实录', '月末对账演示'],
} as const;

type Kind = keyof typeof titles;
const isKind = (kind: string): kind is Kind => Object.hasOwn(titles, kind);

interface Popular {
  key: number;
  title: string;
  clicks: number;
  /** The change since the previous day in per cent. */
  increase: number;
}

const items = (kind: Kind): Popular[] =>
  titles[kind].map((title, at) => ({
    key: at + 1,
    title,
    clicks: 3464 - at * 413 - kind.length,
    increase: 35 - at * 7,
  }));

/** Returns five items of the requested type; texts by default. */
export const popularList = ({ query }: MockRequest): Envelope<Popular[] | null> => {
  const kind = query.get('type') || 'text';
  return isKind(kind) ? succeeded(items(kind)) : failed('type must be text, image or video');
};
