import bwip from 'bwip-js/node';
import type { DrawingContext } from 'bwip-js/node';
import PDFDocument from 'pdfkit';
import { code128 } from './barcodes.ts';
import { dot } from './draw.ts';
import { composeLabel } from './label-content.ts';
import type { LabelInput } from './label-input.ts';
import { renderLabels, stopLabels } from './labels.ts';
import { layoutLabel } from './layout.ts';
import type { Item, Page } from './page.ts';
import { sampleLabel } from './sample.ts';
import { openTypefaces } from '#domain/documents/typefaces.ts';

/**
 * Benchmark S6 of docs/operating.md: draws 1,000 labels with the product's public function. It is
 * compared with plain pdfkit and bwip-js, which draw the same items at the same positions without
 * look-ups, fitting, checks or threads. The two sides take turns, and the best round of each
 * counts.
 */
const count = 1000;
const rounds = 5;

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length]!;
const surnames = [...'赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜'];
const givenNames = [...'伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰春梅建国'];
const roads = [
  '人民路',
  '解放大道',
  '中山南路',
  '建设街',
  '科技三路',
  '滨江西路',
  '长安北街',
  '和平里',
];
const goods = ['文件', '服装', '手机配件', '茶叶', '图书', '化妆品', '五金工具', '玩具'];

const labels: LabelInput[] = Array.from({ length: count }, (_, at) => ({
  ...sampleLabel,
  delivery_id: `JDVE${String(at * 7919).padStart(11, '0')}`,
  order_id: `T20261121${String(at).padStart(6, '0')}`,
  receive_name: pick(surnames, at) + pick(givenNames, at * 3) + pick(givenNames, at * 7),
  receive_phone: `139${String(10_000_000 + at * 8117)}`,
  receive_address: `${pick(roads, at)}${at + 1}号${(at % 30) + 1}栋${(at % 4) + 1}单元${100 + (at % 900)}室`,
  goods: pick(goods, at),
  remark: at % 3 === 0 ? '易碎，轻拿轻放' : null,
}));

type Document = InstanceType<typeof PDFDocument>;

/** The drawing functions that bwip-js calls; each bar arrives as a vertical line. */
const barsOn = (
  document: Document,
  { x, y, scaleX, h }: { x: number; y: number; scaleX: number; h: number },
): DrawingContext<void> => ({
  scale: () => [1, 1],
  measure: () => ({ width: 0, ascent: 0, descent: 0 }),
  init: () => undefined,
  line: (x0, ...[, , , width]) =>
    void document.rect(x + (x0 - width / 2) * scaleX, y, width * scaleX, h),
  polygon: () => undefined,
  hexagon: () => undefined,
  ellipse: () => undefined,
  fill: () => undefined,
  text: () => undefined,
  end: () => void document.fill(),
});

const drawPlainly = (document: Document, item: Item): void => {
  const { box } = item;
  if (item.kind === 'text') {
    document.fontSize(item.size * dot).fillColor(item.ink === 'white' ? 'white' : 'black');
    for (const line of item.lines) {
      for (const run of line.runs) {
        document.font(run.face).text(run.text, (line.x + run.x) * dot, line.baseline * dot, {
          lineBreak: false,
          baseline: 'alphabetic',
        });
      }
    }
  } else if (item.kind === 'bars') {
    document.fillColor('black');
    bwip.render(
      { bcid: 'code128', text: item.content },
      barsOn(document, {
        x: item.area.x * dot,
        y: item.area.y * dot,
        scaleX: item.module * dot,
        h: item.area.h * dot,
      }),
    );
  } else if (item.kind === 'frame')
    document
      .lineWidth(item.thickness * dot)
      .strokeColor('black')
      .rect(box.x * dot, box.y * dot, box.w * dot, box.h * dot)
      .stroke();
  else
    document
      .fillColor('black')
      .rect(box.x * dot, box.y * dot, box.w * dot, box.h * dot)
      .fill();
};

const faces = openTypefaces();
const pages: Page[] = labels.flatMap((label) =>
  composeLabel(label).map((content) => layoutLabel(content, '76x130', faces)),
);

const bare = async (): Promise<number> => {
  const document = new PDFDocument({ autoFirstPage: false, margin: 0 });
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => void chunks.push(chunk));
  const ended = new Promise((resolve) => void document.on('end', resolve));
  for (const face of ['regular', 'bold'] as const)
    document.registerFont(face, faces.open(face) as unknown as Uint8Array);
  for (const page of pages) {
    document.addPage({ size: [page.width * dot, page.height * dot], margin: 0 });
    for (const item of page.items) drawPlainly(document, item);
  }
  document.end();
  await ended;
  return Buffer.concat(chunks).length;
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const ours = async (): Promise<void> => {
  const sheet = await renderLabels(labels, '76x130');
  if (sheet.pages !== count || sheet.failures.length > 0)
    throw new Error(`${sheet.pages} pages, ${sheet.failures.length} failures`);
};

if (code128('JDVE00000000017-1-1-').modules === 0) throw new Error('no bar codes');
const cold = await timed(() => renderLabels(labels.slice(0, 1), '76x130'));
const first = Math.min(
  await timed(() => renderLabels(labels.slice(1, 2), '76x130')),
  await timed(() => renderLabels(labels.slice(2, 3), '76x130')),
);
const took = { ours: [] as number[], bare: [] as number[] };
await ours();
await bare();
for (let round = 0; round < rounds; round += 1) {
  took.ours.push(await timed(ours));
  took.bare.push(await timed(bare));
}
await stopLabels();
const best = (list: number[]): number => Math.round(Math.min(...list));
console.log(
  JSON.stringify({
    labels: count,
    ours_ms: best(took.ours),
    bare_ms: best(took.bare),
    first_ms: Math.round(first),
    cold_ms: Math.round(cold),
  }),
);
