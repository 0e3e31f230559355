import { erasedName } from '@waystation/contract/parcels/erased.ts';
import { auditActions, auditSubjects } from '@waystation/contract/shell/audit-words.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { errorText, isErrorCode } from '#base/error-text.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import type { InboxEntry } from '@waystation/contract/shell/inbox.ts';
import { screens } from '@waystation/contract/shell/screens.ts';
import { statementTypes } from '@waystation/contract/money/statement.ts';
import type { SearchPatch } from '#base/href.ts';
import { warnedDays } from '@waystation/contract/shell/workplace.ts';
import type { ScreenName } from '@waystation/contract/shell/screens.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import type { Say } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';

const reasonWords = (
  { code, params }: { code: string; params?: Reason['params'] | undefined },
  language: Language,
): string => (isErrorCode(code) ? errorText(code, params ?? {}, language) : code);

/** The text about a bulk job: the title of the list and the name of the action. */
export const jobWords = (
  { list, action }: { list: string; action: string },
  t: Say,
  language: Language,
): string => {
  const screen = auditSubjects[list]?.screen;
  const name =
    screens.find((one) => one.name === screen)?.[language] ??
    auditSubjects[list]?.[language] ??
    list;
  return t('inbox.what', { list: name, action: auditActions[action]?.[language] ?? action });
};

/** The filters with which a notification about several parcels opens the parcel list. */
const listOf = {
  on_hold: { tab: 'on_hold' },
  refused: { tab: 'failed' },
  exception: { tab: 'exception' },
  returning: { tab: 'returned' },
  unreachable: { exception: 'unreachable' },
  unmoved: { exception: 'unmoved' },
  missed: { exception: 'missed' },
  left_behind: { exception: 'left_behind' },
  cancel_failed: {},
} as const satisfies Partial<Record<InboxEntry['kind'], SearchPatch>>;
type ParcelKind = keyof typeof listOf;
const isParcelKind = (kind: InboxEntry['kind']): kind is ParcelKind => kind in listOf;

const parcelTitle = ({ kind, count, parcel }: InboxEntry & { kind: ParcelKind }, t: Say): string =>
  count === 1
    ? parcel === null
      ? t('inbox.gone')
      : t(`inbox.${kind}`, { number: parcel.number })
    : t(`inbox.${kind}_many`, { count });

const importTitle = ({ import: found }: InboxEntry, t: Say): string => {
  if (found === null) return t('inbox.gone');
  const { file_name: file, status } = found;
  return t(
    status === 'failed'
      ? 'inbox.import_failed'
      : status === 'paused'
        ? 'inbox.import_paused'
        : 'inbox.import_done',
    { file },
  );
};

/** The text with the result of an import, or with the reason why it stopped. */
const importDetail = (
  { reason, ordered, left }: NonNullable<InboxEntry['import']>,
  t: Say,
  language: Language,
): string =>
  reason === null ? t('inbox.import_result', { ordered, left }) : reasonWords(reason, language);

/**
 * How long a balance will last: a number of days, less than a day, or no time because it is used
 * up. If that is unknown, the text states that the balance is below its limit.
 */
const lastsWords = (
  { available, days_left, low_limit }: NonNullable<InboxEntry['balance']>,
  t: Say,
): string => {
  if (available <= 0) return t('inbox.spent');
  if (days_left === null || (low_limit !== null && days_left >= warnedDays))
    return t('inbox.below_limit', { limit: yuan(low_limit ?? 0) });
  return days_left === 0 ? t('inbox.low_today') : t('inbox.low_balance', { count: days_left });
};

const webhookTitles = {
  failures: 'inbox.webhook_disabled',
  gone: 'inbox.webhook_gone',
  full: 'inbox.webhook_full',
  manager: 'inbox.webhook_manager',
  removed: 'inbox.webhook_removed',
  access: 'inbox.webhook_access',
} as const;

const titleOf = (entry: InboxEntry, t: Say, language: Language): string => {
  const { kind, request, job, balance, waiting } = entry;
  if (isParcelKind(kind)) return parcelTitle({ ...entry, kind }, t);
  if (kind === 'low_balance') return balance === null ? t('inbox.spent') : lastsWords(balance, t);
  if (kind === 'month_closed' || kind === 'month_reminder')
    return entry.month === null
      ? t('inbox.gone')
      : t(entry.month.confirmed === 1 ? 'inbox.month_confirmed' : `inbox.${kind}`, {
          month: entry.month.period,
        });
  if (kind === 'request')
    return waiting === 0
      ? t('inbox.requests_done')
      : t('inbox.request', { count: waiting ?? entry.count });
  if (kind === 'setup') {
    if (entry.setup === null) return t('inbox.setup_any');
    const { done, steps, is_open } = entry.setup;
    return done === steps
      ? t('inbox.setup_done')
      : t(is_open === 1 ? 'inbox.setup' : 'inbox.setup_ended', { done, steps });
  }
  if (kind === 'decided') {
    if (request === null) return t('inbox.gone');
    return t(request.status === 'declined' ? 'inbox.declined' : 'inbox.approved', {
      type: wordOf(statementTypes, request.type, language),
      amount: yuan(Math.abs(request.amount)),
    });
  }
  if (kind === 'import') return importTitle(entry, t);
  if (kind === 'webhook')
    return t(webhookTitles[entry.webhook?.reason ?? 'failures'], {
      name: entry.webhook?.name ?? '',
    });
  if (kind === 'channel')
    return t(
      entry.channel?.reason === 'disabled' ? 'inbox.channel_disabled' : 'inbox.channel_failing',
      { name: entry.channel?.name ?? '' },
    );
  if (job === null) return t('inbox.gone');
  return t(job.status === 'failed' ? 'inbox.job_failed' : 'inbox.job_done', {
    what: jobWords(job, t, language),
  });
};

const detailOf = (
  { kind, count, parcel, request, job, balance, setup, import: imported }: InboxEntry,
  t: Say,
  language: Language,
): string => {
  if (isParcelKind(kind)) {
    if (parcel === null) return '';
    const { number, receive_name } = parcel;
    const name = receive_name === erasedName ? t('common.erased') : receive_name;
    return count === 1 ? t('inbox.to', { name }) : t('inbox.newest', { number, name });
  }
  if (setup !== null)
    return setup.next === null || setup.is_open === 0
      ? ''
      : t('inbox.setup_next', { step: t(`stations.setup_step.${setup.next}`) });
  if (balance !== null) return t('inbox.available', { amount: yuan(balance.available) });
  if (request !== null) return request.reason;
  if (imported !== null) return importDetail(imported, t, language);
  if (job === null) return '';
  if (job.reason !== null) return reasonWords(job.reason, language);
  return job.action === 'export'
    ? t(job.list === 'month_statements' ? 'inbox.statements' : 'inbox.rows', { count: job.ok })
    : t('inbox.result', { ok: job.ok, skipped: job.skipped, failed: job.failed });
};

/**
 * The title and the detail of an inbox entry. If `withStation` is true, the title contains the
 * station, because the reader has several stations.
 */
export const entryWords = (
  entry: InboxEntry,
  withStation: boolean,
  t: Say,
  language: Language,
): { title: string; detail: string } => {
  const title = titleOf(entry, t, language);
  const named = withStation && entry.station_name !== null;
  return {
    title: named ? t('inbox.at_station', { text: title, station: entry.station_name! }) : title,
    detail: detailOf(entry, t, language),
  };
};

/**
 * The screen and query that show the subject of an entry. Null for a background job, which is shown
 * in a drawer.
 */
export const placeOf = ({
  kind,
  count,
  subject_id,
  station_id,
  month,
}: InboxEntry): { screen: ScreenName; search: SearchPatch } | null => {
  if (isParcelKind(kind))
    return count === 1
      ? { screen: 'ExpressTable', search: { id: subject_id ?? undefined } }
      : {
          screen: 'ExpressTable',
          search: { ...listOf[kind], station_id: station_id ?? undefined },
        };
  if (kind === 'low_balance')
    return { screen: 'StationTable', search: { id: station_id ?? undefined } };
  if (kind === 'month_closed' || kind === 'month_reminder')
    return {
      screen: 'StatementTable',
      search: { period: month?.period, station_id: station_id ?? undefined },
    };
  if (kind === 'import')
    return { screen: 'ExpressImport', search: { id: subject_id ?? undefined } };
  if (kind === 'setup')
    return { screen: 'StationTable', search: { setup: subject_id ?? undefined } };
  if (kind === 'webhook')
    return { screen: 'Integrations', search: { of: 'webhooks', id: subject_id ?? undefined } };
  if (kind === 'channel') return { screen: 'Profile', search: {} };
  if (kind === 'request') return { screen: 'StatementTable', search: { status: 'pending' } };
  return kind === 'decided'
    ? { screen: 'StatementTable', search: { id: subject_id ?? undefined } }
    : null;
};
