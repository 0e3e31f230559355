/**
 * Why a parcel needs attention: it was not picked up in its pickup window, or was picked up without
 * all of its packages. The recipient refused it; the carrier stopped it after pickup; nobody was
 * reached and another delivery was agreed; or it is on its way back. It has not moved for the hours
 * of the setting `unmoved_hours`; or the carrier's charge is beyond the limits, and an
 * administrator must decide it.
 */
export const exceptionKinds = [
  'missed',
  'left_behind',
  'refused',
  'stopped',
  'unreachable',
  'returning',
  'unmoved',
  'charge',
] as const;
export type ExceptionKind = (typeof exceptionKinds)[number];

export const exceptionWords: Readonly<Record<ExceptionKind, { zh: string; en: string }>> = {
  missed: { zh: '未上门', en: 'Pickup missed' },
  left_behind: { zh: '有件未交', en: 'Package left behind' },
  refused: { zh: '拒收', en: 'Refused' },
  stopped: { zh: '承运商中止', en: 'Stopped by carrier' },
  unreachable: { zh: '联系不上', en: 'Unreachable' },
  returning: { zh: '退回中', en: 'Returning' },
  unmoved: { zh: '无更新', en: 'No updates' },
  charge: { zh: '费用待核', en: 'Charge to review' },
};

/**
 * The list's filters for exceptions: one kind, or any kind. Both find only open exceptions, which
 * nobody has handled yet.
 */
export const exceptionFilters = ['any', ...exceptionKinds] as const;

export const exceptionNoteLength = 200;

export const isExceptionKind = (value: unknown): value is ExceptionKind =>
  exceptionKinds.some((kind) => kind === value);

/**
 * The administrators' possible decisions about a carrier's charge beyond the limits: accept it,
 * dispute it, or ask the carrier again.
 */
export const chargeDecisions = ['accept', 'dispute', 'ask'] as const;
export type ChargeDecision = (typeof chargeDecisions)[number];
