import { workbookOf } from './workbook.ts';

/** Sends a GET request to a path of the API. */
interface Reader {
  get: <T>(path: string) => Promise<T>;
}

/** The fields of a parcel that the journey needs, named as in the contract. */
export interface Parcel {
  id: number;
  order_id: string;
  delivery_id: string | null;
  provider: string;
  customer_code: string;
  state_code: number;
  station_name: string;
  weight: number;
  cal_weight: number | null;
  jd_weight: number | null;
  jd_cal_weight: number | null;
  jd_amount: number | null;
  picked_up_at: string | null;
}

interface Page {
  items: Parcel[];
  next_cursor: string | null;
}

const shanghai = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Shanghai',
  year: 'numeric',
  month: '2-digit',
});
/** The month of a time in Asia/Shanghai, as `YYYY-MM`. */
export const monthOf = (at: Date): string => shanghai.format(at).slice(0, 7);

export const monthBefore = (month: string): string => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
};

/** All parcels that the carrier picked up in a month, as an administrator sees them. */
export const parcelsOf = async (wire: Reader, month: string): Promise<Parcel[]> => {
  const parcels: Parcel[] = [];
  // Includes days of the month before, because some parcels were ordered then and picked up in the
  // first days of this month.
  const from = `${monthBefore(month)}-20`;
  const last = new Date(
    Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0),
  ).getUTCDate();
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = new URLSearchParams({
      created_from: from,
      created_to: `${month}-${last}`,
      page_size: '200',
      fields: 'provider,customer_code,jd_cal_weight,jd_weight,jd_amount,cal_weight,picked_up_at',
      ...(cursor !== '' && { cursor }),
    });
    const page: Page = await wire.get<Page>(`/api/arco/expresses?${query}`);
    parcels.push(...page.items);
    cursor = page.items.length === 0 ? null : page.next_cursor;
  }
  return parcels.filter(({ picked_up_at, delivery_id, state_code, provider }) => {
    if (picked_up_at === null || delivery_id === null || state_code === 500 || provider !== 'jdl')
      return false;
    return monthOf(new Date(picked_up_at)) === month;
  });
};

/** The number of wrong lines of each kind in the bill. */
export const planted = {
  weight: 40,
  price: 30,
  missing: 20,
  extra: 15,
  duplicate: 10,
  other: 5,
} as const;

type Line = (string | number)[];

export interface MadeBill {
  file: { name: string; mimeType: string; buffer: Buffer };
  lines: number;
  /** The number of lines in each group, by the Chinese name of the group. */
  buckets: Record<string, number>;
  /**
   * The number of wrong lines within the tolerance: their difference is at most half a kilogram and
   * ten fen.
   */
  within: number;
  /** A parcel whose line in the bill is correct. */
  agreed: Parcel;
  /** A parcel of the month for which the bill has no line. */
  unbilled: Parcel;
}

const columns = ['运单编号', '商家编码', '计费重量(kg)', '结算', '寄件时间'];

const lineOf = (
  parcel: Parcel,
  change: { weight?: number; amount?: number; code?: string } = {},
): Line => {
  const weight = (parcel.jd_weight ?? parcel.cal_weight!) + (change.weight ?? 0);
  const amount = parcel.jd_amount! + (change.amount ?? 0);
  return [
    parcel.delivery_id!,
    change.code ?? parcel.customer_code,
    weight / 1_000,
    (amount / 100).toFixed(2),
    parcel.picked_up_at!.slice(0, 10),
  ];
};

/**
 * The number of grams to add to the carrier's weight. 10 g more are added if the sum would equal
 * the weight that the carrier billed.
 */
const heavier = (parcel: Parcel, grams: number): number =>
  (parcel.jd_weight ?? 0) + grams === parcel.jd_cal_weight ? grams + 10 : grams;

/**
 * Creates the carrier's bill of a month as .xlsx. It is correct except for the lines that are wrong
 * on purpose. It is sorted by the parcels' days.
 */
export const billOf = (month: string, all: readonly Parcel[]): MadeBill => {
  const known = all.filter(({ jd_amount, jd_weight }) => jd_amount !== null && jd_weight !== null);
  let at = 0;
  const next = (count: number): Parcel[] => known.slice(at, (at += count));
  const [weights, prices, missing, other, doubled] = [
    planted.weight,
    planted.price,
    planted.missing,
    planted.other,
    planted.duplicate,
  ].map(next) as [Parcel[], Parcel[], Parcel[], Parcel[], Parcel[]];
  const rest = known.slice(at);
  const lines: Line[] = [
    ...rest.map((parcel) => lineOf(parcel)),
    ...weights.map((parcel, index) =>
      lineOf(
        parcel,
        index < 20
          ? { weight: heavier(parcel, 300) }
          : { weight: heavier(parcel, 2_300), amount: 330 },
      ),
    ),
    ...prices.map((parcel, index) => lineOf(parcel, { amount: index < 12 ? 7 : 250 })),
    ...other.map((parcel) => lineOf(parcel, { code: '010K999999' })),
    ...doubled.map((parcel) => lineOf(parcel)),
  ].toSorted((a, b) => String(a.at(-1)).localeCompare(String(b.at(-1))));
  const strangers = Array.from({ length: planted.extra }, (_, index): Line => [
    `JDVE99${month.replace('-', '')}${String(index).padStart(3, '0')}`,
    known[0]!.customer_code,
    1.2,
    '8.80',
    `${month}-15`,
  ]);
  const file = [columns, ...lines, ...strangers, ...doubled.map((parcel) => lineOf(parcel))];
  return {
    file: {
      name: `bill-${month}.xlsx`,
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: workbookOf(file),
    },
    lines: file.length - 1,
    buckets: {
      一致: rest.length + doubled.length,
      重量不符: weights.length,
      金额不符: prices.length,
      仅我方: missing.length + all.length - known.length,
      仅承运商: strangers.length,
      重复: doubled.length,
      商家编码不符: other.length,
    },
    within: 20 + 12,
    agreed: rest[0]!,
    unbilled: missing[0]!,
  };
};

/**
 * A bill with a correct line for each parcel, and also with a number of lines that match no parcel.
 */
export const agreeingBill = (
  month: string,
  all: readonly Parcel[],
  strangers: number,
): MadeBill['file'] => {
  const known = all.filter(({ jd_amount, jd_weight }) => jd_amount !== null && jd_weight !== null);
  const others = Array.from({ length: strangers }, (_, index): Line => [
    `JDVE98${month.replace('-', '')}${String(index).padStart(3, '0')}`,
    known[0]!.customer_code,
    1.2,
    '8.80',
    `${month}-15`,
  ]);
  return {
    name: `agreed-${month}.xlsx`,
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: workbookOf([columns, ...known.map((parcel) => lineOf(parcel)), ...others]),
  };
};
