/**
 * A program that bench/src/address.ts runs. It measures how the CPU time of each regular expression
 * of the address parser grows on texts that cause backtracking. It records the expressions that run
 * while the corpus is parsed, so that none is forgotten.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { longestPaste } from '@waystation/contract/parcels/address.ts';
import {
  contactProblems,
  replacedForCarrier,
  replacedNameForCarrier,
} from '@waystation/contract/parcels/carrier-text.ts';
import { readPhone } from '@waystation/contract/parcels/phone.ts';
import { parseAddress } from './address.ts';
import { readCorpus } from './corpus.ts';

/**
 * Short texts that are repeated to the longest allowed length. The final `!` makes a pattern fail
 * as late as possible.
 */
const units = [
  ' ',
  '\n',
  '\t',
  '1',
  '13',
  '0755-',
  '400',
  '(',
  '（',
  '[',
  ')',
  '-',
  '+86',
  '，',
  ',',
  '：',
  ':',
  '/',
  '.',
  'a',
  'ext',
  '转',
  '#',
  '&',
  '一',
  '第一',
  '十',
];
const words = [
  '省',
  '市',
  '区',
  '县',
  '路',
  '号',
  '路1号',
  '1号',
  '广东',
  '广东省',
  '南山区',
  '北京市',
  '张',
  '张三',
  '收',
  '收件人',
  '电话',
  '地址：',
  '1、',
  '1. ',
  '自治',
];
const repeated = [...units, ...words];

/**
 * The regular expressions that run during `work`. Every method of a regular expression calls `exec`
 * if `exec` was replaced, so a replaced `exec` can record them.
 */
const patternsOf = (work: () => void): RegExp[] => {
  const real = Object.getOwnPropertyDescriptor(RegExp.prototype, 'exec')!;
  const { exec } = RegExp.prototype;
  const seen = new Map<string, RegExp>();
  const noting = function (this: RegExp, text: string): RegExpExecArray | null {
    seen.set(`${this.source} ${this.flags}`, this);
    return exec.call(this, text);
  };
  Reflect.defineProperty(RegExp.prototype, 'exec', { ...real, value: noting });
  try {
    work();
  } finally {
    Reflect.defineProperty(RegExp.prototype, 'exec', real);
  }
  return [...seen.values()];
};

const micros = (work: () => unknown): number => {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
};
const least = (work: () => unknown): number =>
  Math.min(...Array.from({ length: 7 }, () => micros(work)));
const textOf = (unit: string, length: number): string =>
  `${unit.repeat(Math.ceil(length / unit.length)).slice(0, length - 1)}!`;

/**
 * The time for a text four times as long, divided by the time for the short text: 4 is linear, 16
 * is quadratic. It is 0 if the long text takes less than three milliseconds.
 */
const growthOf = (
  work: (text: string) => unknown,
): { growth: number; unit: string; long: number } => {
  let worst = { growth: 0, unit: '', long: 0 };
  for (const unit of repeated) {
    const [short, long] = [textOf(unit, longestPaste / 4), textOf(unit, longestPaste)];
    work(short);
    const time = least(() => work(long));
    const growth =
      time < 3_000
        ? 0
        : time /
          Math.max(
            least(() => work(short)),
            50,
          );
    if (growth > worst.growth) worst = { growth, unit, long: time };
  }
  return worst;
};

const corpus = readCorpus(readFileSync(join(import.meta.dirname, 'corpus.tsv'), 'utf8'));
const patterns = patternsOf(() => {
  for (const { text, people } of corpus) {
    parseAddress(text);
    for (const person of people) {
      readPhone(person.phone);
      contactProblems({ ...person });
      replacedForCarrier(replacedNameForCarrier(`${person.name}${person.address}`));
    }
  }
});
const found = patterns.map((pattern) => {
  // A global copy tries the pattern at every position of the text. The original pattern may itself
  // be global and remember its last position.
  const every = new RegExp(pattern.source, `${pattern.flags.replaceAll(/[gy]/g, '')}g`);
  return { pattern: String(pattern), ...growthOf((text) => text.replace(every, '')) };
});
const whole = growthOf((text) => parseAddress(text).candidates);
process.stdout.write(
  `${JSON.stringify({ patterns: patterns.length, worst: found.toSorted((a, b) => b.growth - a.growth).slice(0, 12), whole })}\n`,
);
