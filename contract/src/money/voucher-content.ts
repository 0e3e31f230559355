export type {
  Bracket,
  ServedZone,
  Zone,
  Origin,
  TemplateContent,
  DraftContent,
} from './voucher-content.schema.ts';

/** The greatest price of a template's cell: ¥100,000, in fen. */
export const dearest = 10_000_000;

/**
 * The largest numbers of sender origins in a template, zones in an origin, regions in a zone, and
 * weight brackets in a zone.
 */
export const mostOrigins = 50;
export const mostZones = 200;
export const mostAreas = 500;
export const mostBrackets = 20;
/** The largest number of characters in a zone's name. */
export const zoneNameLength = 40;
/** The smallest step of a bracket, in grams. */
export const finestStep = 10;
/** The limits of the volumetric divisor: the number of cm³ that count as one kilogram. */
export const divisors = { min: 1_000, max: 30_000 } as const;

/** Texts that price lists use for regions that are not served. */
const closedWords =
  /^(?:不(?:送达?|发货?|到|派送|寄|配送|通|支持|服务)|暂?停发?|未开通|not served|no service|n\/a|x|×|[-–—/]+)$/i;
export const saysClosed = (text: string): boolean =>
  closedWords.test(text.normalize('NFKC').trim());
