import { describe, expect, it } from 'vitest';
import { canBeSorted, readFaceSheet } from './face-sheet.ts';
import { sampleLabel } from './sample.ts';

describe("the carrier's label data", () => {
  it('every field of the label data in JDL’s order response is read', () => {
    expect(readFaceSheet(sampleLabel.print_data, null)).toEqual({
      sourceName: '北京示例分拣中心',
      sourceCode: '11-A2',
      targetName: '上海样例分拣中心',
      targetCode: '22-B3',
      siteName: '*样例营业部',
      road: '012',
      collection: '浦东示例集包地',
      distribute: '233',
      cover: 'T',
      agingName: '次日达',
      transport: '陆运',
      hideName: true,
      hidePhone: true,
      qrcodeUrl: '',
      ownNumbers: false,
    });
  });

  it('the carrier’s label data can be stored as an object or as JSON text', () => {
    expect(readFaceSheet(JSON.stringify(sampleLabel.print_data), null)).toEqual(
      readFaceSheet(sampleLabel.print_data, null),
    );
  });

  it('the sorting fields that are missing in label data are filled from the sorting response of the order', () => {
    const sheet = readFaceSheet(
      { road: '' },
      {
        start_station_name: '*甲',
        end_station_name: '*乙',
        end_road_area: '007',
        end_station_no: '1',
      },
    );
    expect(sheet).toMatchObject({ sourceName: '*甲', siteName: '*乙', road: '007' });
  });

  it.each([
    [1, '陆运'],
    ['2', '航空'],
    [3, '铁路'],
    [9, ''],
    [undefined, ''],
  ])('transport %s is printed as "%s"', (trans_type, word) =>
    expect(readFaceSheet({ trans_type }, null).transport).toBe(word),
  );

  it('a name and a phone are hidden on a label only if their flags in the carrier’s label data are set', () => {
    for (const yes of [1, '1', true])
      expect(readFaceSheet({ hide_name: yes, hide_phone: yes }, null)).toMatchObject({
        hideName: true,
        hidePhone: true,
      });
    for (const no of [0, '0', false, null, undefined, 'no'])
      expect(readFaceSheet({ hide_name: no }, null).hideName).toBe(false);
  });

  it.each([
    null,
    undefined,
    '',
    'not json',
    '[1]',
    7,
    [],
    { road: { a: 1 }, end_site_name: ['x'] },
  ])('label data that are %j are not enough to sort the parcel', (stored) => {
    expect(canBeSorted(readFaceSheet(stored, stored))).toBe(false);
  });
});
