import { cleanText } from './clean-text.ts';

/** The texts that the carrier wants on its label; empty if the carrier sent none. */
export interface FaceSheet {
  sourceName: string;
  sourceCode: string;
  targetName: string;
  targetCode: string;
  siteName: string;
  road: string;
  collection: string;
  distribute: string;
  cover: string;
  agingName: string;
  transport: '' | '陆运' | '航空' | '铁路';
  hideName: boolean;
  hidePhone: boolean;
  qrcodeUrl: string;
  /** True if each package has a separate number. */
  ownNumbers: boolean;
}

type Facts = Record<string, unknown>;

const factsOf = (stored: unknown): Facts => {
  if (typeof stored === 'string') {
    try {
      return factsOf(JSON.parse(stored));
    } catch {
      return {};
    }
  }
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored)
    ? (stored as Facts)
    : {};
};

const yes = (value: unknown): boolean => value === true || value === 1 || value === '1';
const transports = new Map<unknown, FaceSheet['transport']>([
  ['1', '陆运'],
  ['2', '航空'],
  ['3', '铁路'],
]);

/**
 * Reads the stored label data of a carrier (`print_data`, domain/carriers). Missing fields are
 * taken from the sorting result (`pre_sort_result`). A value counts as missing if it is neither
 * text nor a number.
 */
export const readFaceSheet = (printData: unknown, preSortResult: unknown): FaceSheet => {
  const face = factsOf(printData);
  const sort = factsOf(preSortResult);
  const first = (...names: string[]): string => {
    for (const name of names) {
      const text = cleanText(face[name]) || cleanText(sort[name]);
      if (text !== '') return text;
    }
    return '';
  };
  const pair = (cross: string, trolley: string): string =>
    [first(cross), first(trolley)].filter((code) => code !== '').join('-');
  return {
    sourceName: first('source_sort_center_name', 'start_site_name', 'start_station_name'),
    sourceCode: pair('source_cross_code', 'source_trolley_code'),
    targetName: first('target_sort_center_name'),
    targetCode: pair('target_cross_code', 'target_trolley_code'),
    siteName: first('end_site_name', 'end_station_name'),
    road: first('road', 'end_road_area'),
    collection: first('collection_address'),
    distribute: first('distribute_code'),
    cover: first('cover_code'),
    agingName: first('aging_name'),
    transport: transports.get(first('trans_type')) ?? '',
    hideName: yes(face.hide_name ?? sort.hide_name),
    hidePhone: yes(face.hide_phone ?? sort.hide_phone),
    qrcodeUrl: typeof face.qrcode_url === 'string' ? face.qrcode_url.trim() : '',
    ownNumbers: yes(face.own_numbers),
  };
};

/** True if the label data are enough to sort the parcel. */
export const canBeSorted = (sheet: FaceSheet): boolean =>
  sheet.targetName !== '' || sheet.targetCode !== '' || sheet.siteName !== '' || sheet.road !== '';
