import { afterAll, describe, expect, it } from 'vitest';
import type { LabelFormat, LabelInput, LabelSheet } from './labels.ts';
import { renderLabels, stopLabels } from './labels.ts';
import { burnt, codesOn, openPdf, picture, printerScale, wordsOf } from './reading.ts';
import { composeLabel } from './label-content.ts';
import { sampleLabel } from './sample.ts';

const formats: [LabelFormat, number, number][] = [
  ['76x130', 76, 130],
  ['100x150', 100, 150],
  ['100x180', 100, 180],
];
const face = sampleLabel.print_data as Record<string, unknown>;
const open = { ...face, hide_name: 0, hide_phone: 0 };
const parcel = (changes: Partial<LabelInput> = {}): LabelInput => ({ ...sampleLabel, ...changes });
const pdfOf = (sheet: LabelSheet) => openPdf(sheet.file!);

afterAll(stopLabels);

describe.each(formats)('a label of %s mm', (format, width, height) => {
  it('a label has one page for each package, each of exactly the size of the label format', async () => {
    const document = await pdfOf(await renderLabels([parcel({ package_count: 3 })], format));
    expect(document.numPages).toBe(3);
    const [, , w, h] = (await document.getPage(1)).view as [number, number, number, number];
    expect([(w / 72) * 25.4, (h / 72) * 25.4]).toEqual([
      expect.closeTo(width, 3),
      expect.closeTo(height, 3),
    ]);
  });

  it.each([1, 3])(
    'the two bar codes of each label are read by an independent reader as package number and waybill number (%i packages)',
    async (pieces) => {
      const document = await pdfOf(await renderLabels([parcel({ package_count: pieces })], format));
      for (let number = 1; number <= pieces; number += 1) {
        const codes = await codesOn(await picture(document, number, 3));
        expect(codes).toEqual([
          { format: 'Code128', text: `JDVE00000000017-${number}-${pieces}-` },
          { format: 'Code128', text: 'JDVE00000000017' },
        ]);
      }
    },
  );

  it('the QR code and the longest numbers of a label are readable from the black and white dots of a 203 dpi printer', async () => {
    const labels = [
      parcel({
        print_data: { ...face, qrcode_url: 'https://www.jdl.com/q?w=JDVE00000000017&from=label' },
      }),
      parcel({ delivery_id: 'JDX012345678901', package_count: 999 }),
    ];
    const document = await pdfOf(await renderLabels(labels, format));
    expect(await codesOn(burnt(await picture(document, 1, printerScale)))).toEqual(
      expect.arrayContaining([
        { format: 'Code128', text: 'JDVE00000000017-1-1-' },
        { format: 'QRCode', text: 'https://www.jdl.com/q?w=JDVE00000000017&from=label' },
        { format: 'Code128', text: 'JDVE00000000017' },
      ]),
    );
    expect(await codesOn(burnt(await picture(document, 1000, printerScale)))).toEqual([
      { format: 'Code128', text: 'JDX012345678901-999-999-' },
      { format: 'Code128', text: 'JDX012345678901' },
    ]);
  });

  it('a label shows every text that sorters, couriers and clerks need', async () => {
    const label = parcel({ package_count: 2, thr_order_id: 'TB-8892', print_count: 2 });
    const words = await wordsOf(await pdfOf(await renderLabels([label], format)), 2);
    for (const word of [
      '京东物流',
      '京东标快',
      '次日达',
      '陆运',
      'JDVE00000000017-2-2-',
      '北京示例分拣中心',
      '11-A2',
      '上海样例分拣中心',
      '22-B3',
      '012',
      '*样例营业部',
      '浦东示例集包地',
      '233',
      'T',
      '赵^_^',
      '139^_^9000',
      '张^_^',
      '138^_^0001',
      '月结',
      '保价 ¥500',
      '1.5 kg',
      '2/2 件',
      '文件',
      '易碎，轻拿轻放',
      'T202601020001',
      'TB-8892',
      '已验视',
      '2026-01-02 10:24 第 2 次打印',
      '深圳南山站',
      'JDVE0000000',
      '0017',
    ])
      expect(words).toContain(word);
    expect(words).not.toContain('SIMULATED');
    expect(words).not.toContain('赵靐芳');
    expect(words).not.toContain('13900139000');
  });

  it('a label is marked as simulated if the simulator created the parcel, and its bar codes are still readable', async () => {
    const document = await pdfOf(await renderLabels([parcel({ simulated: 1 })], format));
    expect(await wordsOf(document, 1)).toContain('模拟 SIMULATED');
    expect(await codesOn(burnt(await picture(document, 1, printerScale)))).toHaveLength(2);
  });

  it('a label shows rare characters in names, and omits characters that no typeface has', async () => {
    const label = parcel({
      receive_name: '𠮷䶮㛃𬭚𪨊',
      sender_name: '𨭎国栋',
      goods: '手机😀壳',
      print_data: open,
    });
    const sheet = await renderLabels([label], format);
    const words = await wordsOf(await pdfOf(sheet), 1);
    for (const word of ['𠮷', '䶮㛃𬭚', '𪨊', '𨭎', '国栋', '手机壳'])
      expect(words).toContain(word);
    expect(sheet.failures).toEqual([]);
    expect(sheet.warnings).toEqual([
      { index: 0, code: 'label_characters_missing', params: { characters: '😀' } },
    ]);
  });

  it('characters that no typeface has are left out of a label and not replaced by a box, even if a text has only such characters', async () => {
    const strange = '😀👨‍👩‍👧❤️\ue000محمدབོད᠊ᠮ가';
    const texts = {
      receive_name: `王${strange}明`,
      receive_address: `人民路${strange}1号`,
      sender_name: strange,
      goods: strange,
      remark: `轻${strange}放`,
      thr_order_id: strange,
    };
    const sheet = await renderLabels([parcel({ ...texts, print_data: open })], format);
    const words = await wordsOf(await pdfOf(sheet), 1);
    expect(words).not.toContain('□');
    expect(words).not.toMatch(new RegExp(`[${strange}]`, 'u'));
    for (const word of ['王明', '人民路1号', '轻放']) expect(words).toContain(word);
    expect(sheet.failures).toEqual([]);
  });
});

describe('a batch of labels', () => {
  it('a batch of labels is printed in the given order, and labels that cannot be printed are skipped', async () => {
    const labels = [
      parcel({ delivery_id: 'JDVE00000000031' }),
      parcel({ delivery_id: '' }),
      parcel({ delivery_id: 'JDVE00000000012', package_count: 2 }),
      parcel({ print_data: null }),
      parcel({ delivery_id: 'JDVE00000000023' }),
    ];
    const sheet = await renderLabels(labels, '76x130');
    expect(sheet.failures).toEqual([
      { index: 1, code: 'label_waybill_missing', params: {} },
      { index: 3, code: 'label_not_sorted', params: {} },
    ]);
    const document = await pdfOf(sheet);
    const numbers = [];
    for (let page = 1; page <= document.numPages; page += 1)
      numbers.push((await codesOn(await picture(document, page, 3)))[0]!.text);
    expect(numbers).toEqual([
      'JDVE00000000031-1-1-',
      'JDVE00000000012-1-2-',
      'JDVE00000000012-2-2-',
      'JDVE00000000023-1-1-',
    ]);
    expect(sheet.pages).toBe(4);
  });

  it('a batch of labels returns no file if no label could be drawn', async () => {
    expect(await renderLabels([parcel({ delivery_id: '' })], '76x130')).toMatchObject({
      file: null,
      pages: 0,
      failures: [{ index: 0 }],
    });
    expect(await renderLabels([], '76x130')).toEqual({
      file: null,
      files: [],
      pages: 0,
      failures: [],
      warnings: [],
    });
  });

  it('a batch of labels too long for one file is refused as a whole', async () => {
    await expect(
      renderLabels(
        Array.from({ length: 6 }, () => parcel({ package_count: 999 })),
        '76x130',
      ),
    ).rejects.toMatchObject({
      code: 'labels_too_many',
      params: { pages: 5994, max: 5000 },
    });
  });

  it('rendering a batch of labels returns a warning for each shortened address and each omitted QR code', async () => {
    const label = parcel({
      receive_address: '长'.repeat(300),
      print_data: { ...open, qrcode_url: 'javascript:alert(1)' },
    });
    const { warnings } = await renderLabels([label], '76x130');
    expect(warnings.map((note) => note.code)).toEqual([
      'label_text_shortened',
      'label_qr_left_out',
    ]);
  });

  it('a label is not drawn, and the reason is reported, if its waybill number is too long for a bar code', async () => {
    const long = await renderLabels(
      [parcel({ delivery_id: 'JDVE00000000017ABCDEFGHIJKLMNO', package_count: 10 })],
      '76x130',
    );
    expect(long.failures).toEqual([
      {
        index: 0,
        code: 'label_waybill_invalid',
        params: { delivery_id: 'JDVE00000000017ABCDEFGHIJKLMNO' },
      },
    ]);
  });

  it('a PDF of labels has a setting that tells viewers to print it without scaling', async () => {
    const sheet = await renderLabels([parcel()], '76x130');
    expect(Buffer.from(sheet.file!).toString('latin1')).toMatch(/\/PrintScaling \/None/);
  });

  it('a single label does not wait for a long batch of labels', async () => {
    const order: string[] = [];
    const many = renderLabels([parcel({ package_count: 400 })], '76x130').then(() =>
      order.push('many'),
    );
    const one = renderLabels([parcel()], '76x130').then(() => order.push('one'));
    await Promise.all([many, one]);
    expect(order).toEqual(['one', 'many']);
  });
});

describe('labels of a carrier that gives each package its own number', () => {
  const sortingCode =
    "MMM={'k1':'020W','k2':'020CK','k3':'','k4':'T6','k5':'SF7444496931331','k6':'','k7':'75e81e5e'}";
  const sfLabel = (package_count: number) =>
    parcel({
      provider: 'sf',
      delivery_id: 'SF7444496931331',
      package_count,
      package_ids: ['SF7444496931332'],
      print_data: {
        end_site_name: '020W-F0-CK',
        road: 'K35',
        qrcode_url: sortingCode,
        own_numbers: 1,
      },
    });

  it('every package of an SF parcel has a label with its package number, the waybill number and the sorting code', async () => {
    const sheet = await renderLabels([sfLabel(2)], '76x130');
    expect([sheet.pages, sheet.warnings, sheet.failures]).toEqual([2, [], []]);
    const codes = await codesOn(await picture(await pdfOf(sheet), 2, 3));
    expect(codes.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['SF7444496931332', 'SF7444496931331', sortingCode]),
    );
    expect(composeLabel(sfLabel(2)).map(({ packageNumber }) => packageNumber)).toEqual([
      'SF7444496931331',
      'SF7444496931332',
    ]);
  });

  it('a label of a package that has no package number cannot be drawn', async () => {
    const { failures } = await renderLabels([sfLabel(3)], '76x130');
    expect(failures).toMatchObject([{ code: 'label_pieces_invalid', params: { max: 2 } }]);
  });
});
