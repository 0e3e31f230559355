import type { ComponentLabel, LabelKey } from '#domain/carriers/port.ts';
import { isFields, listOf, textOf, unwrapJson } from '#domain/carriers/reading.ts';

/** The largest number of characters of one package's encrypted data; longer data are refused. */
const longestData = 100_000;

/**
 * Reads the `prePrintDatas` of pullData, which has one row for each package. Returns one label for
 * each parcel, in the requested order. A parcel with a failed or missing row has no label, because
 * a part of its packages must never be printed. Undefined if the data cannot be read.
 */
export const componentLabelsOf = (
  stored: unknown,
  parcels: readonly LabelKey[],
): ComponentLabel[] | undefined => {
  const rows = unwrapJson(stored);
  if (!Array.isArray(rows)) return undefined;
  const byWaybill = Map.groupBy(listOf(rows).filter(isFields), (row) => textOf(row['wayBillNo']));
  return parcels.map(({ delivery_id }) => {
    const found = byWaybill.get(delivery_id) ?? [];
    const failed = found.find((row) => textOf(row['code']) !== '1');
    const data = found
      .map((row) => row['perPrintData'])
      .filter(
        (text): text is string =>
          typeof text === 'string' && text !== '' && text.length <= longestData,
      );
    if (failed || found.length === 0 || data.length < found.length)
      return { delivery_id, refused: textOf(failed?.['msg']) };
    return { delivery_id, data };
  });
};
