import type { Language } from '@waystation/contract/base/errors.ts';
import { formatYuan } from '@waystation/contract/money/money.ts';
import { statementTypes } from '@waystation/contract/money/statement.ts';
import { auditActions, auditSubjects } from '@waystation/contract/shell/audit-words.ts';
import type { InboxEntry } from '@waystation/contract/shell/inbox.ts';
import { screens } from '@waystation/contract/shell/screens.ts';
import type { ScreenName } from '@waystation/contract/shell/screens.ts';
import type { MessageWord, SayMessage } from './message-words.ts';
import { plainText } from './plain-text.ts';

/** The reader of a message. */
export interface MessageReader {
  language: Language;
  say: SayMessage;
  /**
   * The account's station; null for admins and super admins. A message contains amounts of this
   * station only.
   */
  station_id: number | null;
  /** True if the account sees more than one station. */
  severalStations: boolean;
}

const parcelTabs = {
  on_hold: 'tab=on_hold',
  refused: 'tab=failed',
  exception: 'tab=exception',
  returning: 'tab=returned',
  unreachable: 'exception=unreachable',
  unmoved: 'exception=unmoved',
  missed: 'exception=missed',
  left_behind: 'exception=left_behind',
  cancel_failed: '',
} as const satisfies Partial<Record<InboxEntry['kind'], string>>;
type ParcelKind = keyof typeof parcelTabs;
const isParcelKind = (kind: InboxEntry['kind']): kind is ParcelKind => kind in parcelTabs;

const isOwn = ({ station_id }: InboxEntry, reader: MessageReader): boolean =>
  station_id !== null && station_id === reader.station_id;

const balanceTitle = (entry: InboxEntry, reader: MessageReader): string => {
  const { say } = reader;
  const { balance } = entry;
  if (balance === null) return say('spent');
  const { available, days_left, low_limit } = balance;
  const text =
    available <= 0
      ? say('spent')
      : low_limit !== null || days_left === null
        ? say('low_limit')
        : days_left === 0
          ? say('low_today')
          : say('low_days', { count: days_left });
  return isOwn(entry, reader)
    ? say('with_available', { text, amount: `¥${formatYuan(available)}` })
    : text;
};

const decidedTitle = (
  entry: InboxEntry,
  request: NonNullable<InboxEntry['request']>,
  reader: MessageReader,
): string => {
  const text = reader.say(request.status === 'declined' ? 'declined' : 'approved', {
    type: statementTypes[request.type][reader.language],
  });
  return isOwn(entry, reader)
    ? reader.say('with_amount', { text, amount: `¥${formatYuan(Math.abs(request.amount))}` })
    : text;
};

/**
 * The title of a finished job, with the names of its list and action, which never contain text from
 * a user.
 */
const jobTitle = (
  { list, action, status }: NonNullable<InboxEntry['job']>,
  { language, say }: MessageReader,
): string =>
  say(status === 'failed' ? 'job_failed' : 'job_done', {
    list: auditSubjects[list]?.[language] ?? '',
    action: auditActions[action]?.[language] ?? '',
  });

const webhookTitles = {
  failures: 'webhook_disabled',
  gone: 'webhook_gone',
  full: 'webhook_full',
  manager: 'webhook_manager',
  removed: 'webhook_removed',
  access: 'webhook_access',
} as const satisfies Record<string, MessageWord>;

/** The title of an entry by its kind; null if its subject is no longer visible. */
const titleOf = (entry: InboxEntry, reader: MessageReader): string | null => {
  const { kind, count, parcel, request, month, setup, webhook, channel } = entry;
  const { say } = reader;
  if (isParcelKind(kind)) {
    if (parcel === null) return null;
    return count === 1
      ? say(kind, { number: parcel.number.replaceAll(/[^\w-]/g, '') })
      : say(`${kind}_many`, { count });
  }
  if (kind === 'low_balance') return balanceTitle(entry, reader);
  if (kind === 'month_closed' || kind === 'month_reminder')
    return month && say(month.confirmed === 1 ? 'month_confirmed' : kind, { month: month.period });
  if (kind === 'request') {
    const waiting = entry.waiting ?? 0;
    return waiting === 0 ? null : say('request', { count: waiting });
  }
  if (kind === 'decided') return request && decidedTitle(entry, request, reader);
  if (kind === 'setup')
    return setup ? say('setup', { done: setup.done, steps: setup.steps }) : say('setup_any');
  if (kind === 'import') {
    if (entry.import === null) return null;
    const { status, file_name } = entry.import;
    const word: MessageWord =
      status === 'failed' ? 'import_failed' : status === 'paused' ? 'import_paused' : 'import_done';
    return say(word, { file: plainText(file_name) });
  }
  if (kind === 'webhook')
    return say(webhookTitles[webhook?.reason ?? 'failures'], {
      name: plainText(webhook?.name ?? ''),
    });
  if (kind === 'channel')
    return say(channel?.reason === 'disabled' ? 'channel_disabled' : 'channel_failing', {
      name: plainText(channel?.name ?? ''),
    });
  return entry.job && jobTitle(entry.job, reader);
};

const place = (entry: InboxEntry): readonly [ScreenName, string] => {
  const { kind, count, subject_id, station_id } = entry;
  if (isParcelKind(kind))
    return ['ExpressTable', count === 1 ? `id=${subject_id}` : parcelTabs[kind]];
  if (kind === 'low_balance') return ['StationTable', `id=${station_id}`];
  if (kind === 'month_closed' || kind === 'month_reminder')
    return ['StatementTable', `period=${entry.month?.period ?? ''}&station_id=${station_id}`];
  if (kind === 'request') return ['StatementTable', 'status=pending'];
  if (kind === 'decided') return ['StatementTable', `id=${subject_id}`];
  if (kind === 'import') return ['ExpressImport', `id=${subject_id}`];
  if (kind === 'setup') return ['StationTable', `setup=${subject_id}`];
  if (kind === 'webhook') return ['Integrations', `of=webhooks&id=${subject_id}`];
  return kind === 'channel' ? ['Profile', ''] : ['Workplace', ''];
};

/** A notification as one line of a message. */
export interface MessageLine {
  kind: InboxEntry['kind'];
  title: string;
  at: string;
  /** The path of the screen that shows the subject of the notification. */
  path: string;
}

/**
 * The entry as one line of a message; null if the reader may no longer see the parcel or other
 * subject of the entry.
 */
export const lineOf = (entry: InboxEntry, reader: MessageReader): MessageLine | null => {
  const title = titleOf(entry, reader);
  if (title === null) return null;
  const named = reader.severalStations && entry.station_name !== null;
  const [screen, search] = place(entry);
  const { path } = screens.find(({ name }) => name === screen)!;
  return {
    kind: entry.kind,
    title: named
      ? reader.say('at_station', { text: title, station: plainText(entry.station_name ?? '') })
      : title,
    at: entry.at,
    path: search === '' ? path : `${path}?${search}`,
  };
};
