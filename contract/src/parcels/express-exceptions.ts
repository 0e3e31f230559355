/**
 * Why a parcel needs somebody's attention: not picked up in the pickup window of its order; picked
 * up without all of its packages; refused by the recipient; stopped by
 * the carrier after pickup; another delivery attempt agreed because nobody was reached; on
 * the way back; no movement for the hours of the setting `unmoved_hours`; a carrier's charge
 * beyond the limits, which the office decides.
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
 * The list's filters of exceptions: one kind, or all of them. Both find open exceptions only, which
 * nobody has handled.
 */
export const exceptionFilters = ['any', ...exceptionKinds] as const;

export const exceptionNoteLength = 200;

export const isExceptionKind = (value: unknown): value is ExceptionKind =>
  exceptionKinds.some((kind) => kind === value);

/**
 * The office's decisions about a carrier's charge beyond the limits: accept it, dispute it, or ask
 * the carrier again.
 */
export const chargeDecisions = ['accept', 'dispute', 'ask'] as const;
export type ChargeDecision = (typeof chargeDecisions)[number];
