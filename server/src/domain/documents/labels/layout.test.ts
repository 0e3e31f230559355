import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grids } from './formats.ts';
import { composeLabel } from './label-content.ts';
import type { LabelFormat, LabelInput, LabelPaper } from './label-input.ts';
import { layoutLabel } from './layout.ts';
import type { Box, Item, Page } from './page.ts';
import { openPdf, picture, printerScale } from './reading.ts';
import { openRenderer, renderSheet } from './render.ts';
import { sampleLabel } from './sample.ts';
import { openTypefaces } from '#domain/documents/typefaces.ts';

const faces = openTypefaces();
const formats: LabelPaper[] = ['76x130', '100x150', '100x180'];
const face = sampleLabel.print_data as Record<string, unknown>;
const pagesOf = (label: LabelInput, format: LabelFormat): Page[] =>
  composeLabel(label).map((content) => layoutLabel(content, format, faces));

const slack = 0.01;
const meet = (a: Box, b: Box): boolean =>
  a.x + slack < b.x + b.w &&
  b.x + slack < a.x + a.w &&
  a.y + slack < b.y + b.h &&
  b.y + slack < a.y + a.h;
const holds = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x - slack &&
  inner.y >= outer.y - slack &&
  inner.x + inner.w <= outer.x + outer.w + slack &&
  inner.y + inner.h <= outer.y + outer.h + slack;

/** The four sides of a frame, each as a narrow box. */
const edges = ({ x, y, w, h }: Box, t: number): Box[] => [
  { x, y, w, h: t },
  { x, y: y + h - t, w, h: t },
  { x, y, w: t, h },
  { x: x + w - t, y, w: t, h },
];
const named = (item: Item): string =>
  item.kind === 'text'
    ? `"${item.lines.map((line) => line.runs.map((run) => run.text).join('')).join('/')}"`
    : item.kind;

/** All violations of the layout rules on a page. */
const faultsOf = (page: Page, margin: number): string[] => {
  const faults: string[] = [];
  const content = page.items.filter(
    (item) => item.kind === 'text' || item.kind === 'bars' || item.kind === 'squares',
  );
  const lines = page.items.flatMap((item) =>
    item.kind === 'rule'
      ? [item.box]
      : item.kind === 'frame'
        ? edges(item.box, item.thickness)
        : [],
  );
  const plates = page.items.filter((item) => item.kind === 'plate');
  const inner = { x: margin, y: margin, w: page.width - 2 * margin, h: page.height - 2 * margin };
  for (const item of page.items)
    if (!holds(inner, item.box)) faults.push(`${named(item)} leaves the page`);
  content.forEach((item, at) => {
    for (const other of content.slice(at + 1))
      if (meet(item.box, other.box)) faults.push(`${named(item)} meets ${named(other)}`);
    for (const line of lines) if (meet(item.box, line)) faults.push(`${named(item)} meets a line`);
    const under = plates.filter((plate) => meet(plate.box, item.box));
    const white = item.kind === 'text' && item.ink === 'white';
    if (white && !under.some((plate) => holds(plate.box, item.box)))
      faults.push(`white ${named(item)} is not on black`);
    if (!white && under.length > 0) faults.push(`${named(item)} is on black`);
    if (item.kind === 'text' && item.size < 16) faults.push(`${named(item)} is too small to read`);
    if (item.kind === 'bars' && item.module < 2)
      faults.push(`${named(item)} is too narrow to scan`);
    if (item.kind === 'bars' && item.area.h < 80) faults.push(`${named(item)} is too low to scan`);
    if (item.kind === 'squares' && item.module < 3)
      faults.push(`${named(item)} is too fine to scan`);
  });
  for (const { kind, box } of page.items) {
    if (kind === 'text') continue;
    const whole = [box.x, box.y, box.w, box.h].every((value) => Number.isInteger(value));
    if (!whole) faults.push(`${kind} is off the grid of dots`);
  }
  return faults;
};

const character = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.integer({ min: 0x4e00, max: 0x9fa5 }).map((code) => String.fromCodePoint(code)),
  },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '，',
      '（',
      '）',
      '…',
      '😀',
      '𠮷',
      '\n',
      '\u202e',
      '\u200d',
      'g',
      'Å',
      'ـ',
      '\ud800',
      '\uffff',
      '※',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
  },
);
const text = (most: number) =>
  fc.oneof(
    fc.constant(''),
    fc.array(character, { maxLength: 8 }).map((list) => list.join('')),
    fc.array(character, { maxLength: most }).map((list) => list.join('')),
  );
const hostile: fc.Arbitrary<LabelInput> = fc
  .record({
    sender_name: text(60),
    sender_phone: text(40),
    sender_province: text(12),
    sender_city: text(12),
    sender_county: text(12),
    sender_address: text(300),
    receive_name: text(60),
    receive_phone: text(40),
    receive_province: text(12),
    receive_city: text(12),
    receive_county: text(12),
    receive_address: text(300),
    goods: text(200),
    remark: text(500),
    order_id: text(50),
    thr_order_id: text(100),
    promise_name: text(40),
    station_name: text(60),
    provider: fc.constantFrom('jdl', 'sf', 'nobody'),
    simulated: fc.constantFrom(0, 1),
    weight: fc.integer({ min: 0, max: 10_000_000 }),
    guarantee_value_amount: fc.integer({ min: 0, max: 30_000_000 }),
    package_count: fc.constantFrom(1, 2, 999),
    print_count: fc.integer({ min: 0, max: 1_000_000 }),
    printed_at: fc.constantFrom('2026-01-02T02:24:00Z', 'never'),
    print_data: fc
      .record({
        road: text(12),
        end_site_name: text(40),
        target_sort_center_name: text(40),
        target_cross_code: text(8),
        target_trolley_code: text(8),
        source_sort_center_name: text(40),
        source_cross_code: text(8),
        source_trolley_code: text(8),
        collection_address: text(40),
        distribute_code: text(12),
        cover_code: text(4),
        aging_name: text(12),
        hide_name: fc.constantFrom(0, 1),
        hide_phone: fc.constantFrom(0, 1),
        trans_type: fc.constantFrom(0, 1, 2, 3),
        qrcode_url: fc.oneof(
          text(20),
          fc.webUrl(),
          fc
            .string({ minLength: 100, maxLength: 260, unit: fc.constantFrom(...'abcXYZ019') })
            .map((path) => `https://a.cn/${path}`),
        ),
      })
      .map((sheet) => ({
        ...sheet,
        end_site_name: sheet.end_site_name.includes('站')
          ? sheet.end_site_name
          : `${sheet.end_site_name}站`,
      })),
  })
  .map((changes) => ({ ...sampleLabel, ...changes }));

describe.each(formats)('the layout of %s mm', (format) => {
  const { margin, bands, height } = grids[format];

  it('the heights of the areas of a label add up exactly to the paper’s height between its margins', () => {
    expect(Object.values(bands).reduce((sum, h) => sum + h, 0)).toBe(height - 2 * margin);
  });

  it('texts of ordinary length on a label do not touch each other, a line or the margin', () => {
    for (const print_data of [
      face,
      { ...face, qrcode_url: 'https://www.jdl.com/q?w=1' },
      { end_site_name: '站' },
      { road: '012' },
    ]) {
      for (const package_count of [1, 3]) {
        for (const page of pagesOf({ ...sampleLabel, print_data, package_count }, format))
          expect(faultsOf(page, margin)).toEqual([]);
      }
    }
  });

  it('the texts on a label never overlap, however long, short, unusual or malicious the texts are', () => {
    fc.assert(
      fc.property(hostile, (label) => {
        expect(faultsOf(layoutLabel(composeLabel(label).at(-1)!, format, faces), margin)).toEqual(
          [],
        );
      }),
      { numRuns: 150 },
    );
  });

  it('a label has no printed dot outside the areas of its layout', async () => {
    const full = '国gjpqy@（）Åç|{}';
    const label: LabelInput = {
      ...sampleLabel,
      package_count: 2,
      simulated: 1,
      receive_name: `${full}𠮷`,
      receive_address: full.repeat(12),
      sender_name: full,
      sender_address: full.repeat(6),
      goods: full.repeat(4),
      remark: full.repeat(3),
      thr_order_id: full,
      promise_name: full,
      station_name: full,
      print_data: {
        ...face,
        hide_name: 0,
        hide_phone: 0,
        cover_code: '鬱',
        road: 'gÅ',
        end_site_name: full,
        collection_address: full,
        aging_name: full,
        distribute_code: 'Qg',
        qrcode_url: 'https://www.jdl.com/q',
      },
    };
    const page = pagesOf(label, format)[0]!;
    const image = await picture(
      await openPdf((await renderSheet([label], format, openRenderer(faces))).file!),
      1,
      printerScale,
    );
    const allowed = new Uint8Array(image.width * image.height);
    for (const { box } of page.items) {
      for (
        let y = Math.max(0, Math.floor(box.y) - 1);
        y < Math.min(image.height, Math.ceil(box.y + box.h) + 1);
        y += 1
      ) {
        allowed.fill(
          1,
          y * image.width + Math.max(0, Math.floor(box.x) - 1),
          y * image.width + Math.min(image.width, Math.ceil(box.x + box.w) + 1),
        );
      }
    }
    const stray: string[] = [];
    let ink = 0;
    for (let at = 0; at < allowed.length; at += 1) {
      if (image.data[at * 4]! >= 128) continue;
      ink += 1;
      if (!allowed[at]) stray.push(`${at % image.width},${Math.floor(at / image.width)}`);
    }
    expect(ink).toBeGreaterThan(20_000);
    expect(stray).toEqual([]);
  });
});
