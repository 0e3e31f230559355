/**
 * Finds the waybill number in the numbers on a carrier's label. Each carrier's adapter says which
 * of these functions it uses; `waybillOf` tries all of them if the carrier is unknown.
 */

/** A waybill number of JD Logistics: `JDVE00000006001`, `JD0123456789012`. */
const jdlWaybill = String.raw`JD[A-Z0-9]{2}\d{11}`;

/**
 * Matches `waybill-i-n-`: the i-th of n packages. The last dash may be missing, and a gate number
 * may follow the dash.
 */
const jdlPackage = new RegExp(
  String.raw`^(${jdlWaybill})-(\d{1,4})-(\d{1,4})(?:-[A-Z0-9]{0,10})?$`,
);

const address = /^(?:HTTPS?:\/\/|[A-Z0-9-]+(?:\.[A-Z0-9-]+)+(?::\d+)?[/?#])/;

/**
 * Every waybill number of JD Logistics that is a separate word in the text, in capitals; each is
 * listed once.
 */
export const jdlWaybillsIn = (text: string): string[] => [
  ...new Set(
    text.toUpperCase().match(new RegExp(String.raw`(?<![A-Z0-9])${jdlWaybill}(?![A-Z0-9])`, 'g')) ??
      [],
  ),
];

/**
 * The waybill number in a package number or in the URL of a label's QR code. Null for any other
 * text, and for a URL with several waybill numbers.
 */
export const jdlWaybillOf = (number: string): string | null => {
  const written = number.trim().toUpperCase();
  const packed = jdlPackage.exec(written);
  if (packed) return packed[1]!;
  if (!address.test(written)) return null;
  const [waybill, ...others] = jdlWaybillsIn(written.replaceAll(/%(?:2[0-9A-F]|3[A-F])/g, ' '));
  return others.length === 0 ? (waybill ?? null) : null;
};

/** A package as its number describes it: package `no` of `count`. */
export interface NamedPackage {
  no: number;
  count: number;
}

/** The package to which a number belongs, `waybill-i-n-`; null for any other number. */
export const jdlPackageOf = (number: string): NamedPackage | null => {
  const packed = jdlPackage.exec(number.trim().toUpperCase());
  return packed ? { no: Number(packed[2]), count: Number(packed[3]) } : null;
};

const jdlOnly = new RegExp(`^${jdlWaybill}$`);
/** True if the labels of this waybill have package numbers, even if it has only one package. */
export const hasPackageNumbers = (waybill: string): boolean => jdlOnly.test(waybill.toUpperCase());

/**
 * Matches a label code of SF Express for one package of a parcel: `SF` + 13 digits, then `-i-n-`.
 */
const sfPackage = /^(SF\d{13})-(\d{1,4})-(\d{1,4})-?$/;
const sfWaybillOf = (number: string): string | null =>
  sfPackage.exec(number.trim().toUpperCase())?.[1] ?? null;
const sfPackageOf = (number: string): NamedPackage | null => {
  const packed = sfPackage.exec(number.trim().toUpperCase());
  return packed ? { no: Number(packed[2]), count: Number(packed[3]) } : null;
};

const readers = [jdlWaybillOf, sfWaybillOf];
const packageReaders = [jdlPackageOf, sfPackageOf];

/**
 * The waybill number that a number on a label of any carrier contains; null for any other number.
 */
export const waybillOf = (number: string): string | null => {
  for (const read of readers) {
    const waybill = read(number);
    if (waybill !== null) return waybill;
  }
  return null;
};

/** The package to which a package number of any carrier belongs; null for any other number. */
export const packageOf = (number: string): NamedPackage | null => {
  for (const read of packageReaders) {
    const named = read(number);
    if (named !== null) return named;
  }
  return null;
};
