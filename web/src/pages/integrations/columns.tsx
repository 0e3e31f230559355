import { fittedWidth, rowActionsWidth } from '#resource/table/fitted-width.ts';
import { keyScopeWords, keyStatusWords } from '@waystation/contract/people/key-words.ts';
import type { ApiKey } from '@waystation/contract/people/api-key.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { TextCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import type { Column } from '#resource/table/column.ts';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import primitives from '#ui/primitives.module.css';
import { yuan } from '#ui/values/amounts.ts';
import styles from './integrations.module.css';
import { useKeyWords } from './words.ts';

export const KeyStatusTag = ({ status }: Pick<ApiKey, 'status'>) => {
  const { language } = useTexts();
  return (
    <span className={styles['status']} data-status={status}>
      {wordOf(keyStatusWords, status, language)}
    </span>
  );
};

export const useScopeText = (): ((row: ApiKey) => string) => {
  const { language } = useTexts();
  const between = language === 'zh' ? '、' : ', ';
  return ({ scopes }) =>
    scopes.map((scope) => wordOf(keyScopeWords, scope, language)).join(between);
};

/**
 * Returns a text with the sum of today's orders for an API key. If the key has a limit, the text
 * contains the limit too.
 */
export const useOrderedText = (): ((row: ApiKey) => string) => {
  const say = useKeyWords();
  return ({ ordered_today, daily_limit }) =>
    daily_limit === null
      ? yuan(ordered_today)
      : say('ordered_of', { ordered: yuan(ordered_today), limit: yuan(daily_limit) });
};

export const useKeyColumns = (
  actions: readonly RowAction<ApiKey>[],
  several: boolean,
): Column<ApiKey>[] => {
  const { t, language } = useTexts();
  const say = useKeyWords();
  const scopeText = useScopeText();
  const orderedText = useOrderedText();
  const station: Column<ApiKey> = {
    key: 'station_name',
    title: t('common.station'),
    width: 104,
    grow: true,
    ...textColumn((row: ApiKey) => row.station_name ?? ''),
  };
  return [
    {
      key: 'name',
      title: say('name'),
      width: 104,
      grow: true,
      pin: 'start',
      fixed: true,
      sort: 'name',
      cell: (row) => <TextCell text={row.name} />,
    },
    {
      key: 'username',
      title: say('account'),
      width: 88,
      grow: true,
      sort: 'username',
      ...textColumn((row: ApiKey) => row.username),
    },
    ...(several ? [station] : []),
    {
      key: 'hint',
      title: say('hint_column'),
      width: 92,
      aside: several,
      cell: (row) => <code>{row.hint}…</code>,
    },
    {
      key: 'scopes',
      title: say('scopes'),
      width: 128,
      grow: true,
      cell: (row) => <TextCell text={scopeText(row)} />,
    },
    {
      key: 'addresses',
      title: say('addresses'),
      width: fittedWidth(say('addresses'), { texts: [say('any_address')], least: 88 }),
      cell: (row) => <TextCell text={row.addresses.join(', ') || say('any_address')} />,
    },
    {
      key: 'status',
      title: say('status'),
      width: fittedWidth(say('status'), { sorts: true, least: 88 }),
      text: (row) => wordOf(keyStatusWords, row.status, language),
      besideText: 12,
      sort: 'status',
      cell: (row) => <KeyStatusTag status={row.status} />,
    },
    {
      key: 'ordered_today',
      title: say('ordered_today'),
      width: fittedWidth(say('ordered_today'), { least: 88 }),
      ...textColumn(orderedText),
    },
    {
      key: 'last_used_at',
      title: say('last_used'),
      width: fittedWidth(say('last_used'), { sorts: true, texts: [say('not_used')], least: 100 }),
      sort: 'last_used_at',
      cell: (row) =>
        row.last_used_at === null ? (
          <span className={primitives['quiet']}>{say('not_used')}</span>
        ) : (
          <TimeCell at={row.last_used_at} />
        ),
    },
    {
      key: 'expires_at',
      title: say('expires'),
      width: fittedWidth(say('expires'), { sorts: true, texts: [say('never')], least: 128 }),
      sort: 'expires_at',
      cell: (row) => (row.expires_at === null ? say('never') : <TimeCell at={row.expires_at} />),
    },
    {
      key: 'made_by',
      title: say('made_by'),
      width: 100,
      aside: true,
      ...textColumn((row: ApiKey) => row.made_by ?? say('made_above')),
    },
    {
      key: 'created_at',
      title: t('lists.created'),
      width: 112,
      aside: true,
      sort: 'created_at',
      cell: (row) => <TimeCell at={row.created_at} />,
    },
    {
      key: 'actions',
      title: t('lists.actions'),
      width: rowActionsWidth(t('lists.actions'), actions),
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={row.name} actions={actions} />,
    },
  ];
};

/** An API key and its last use as a card, for narrow screens. */
export const KeyCard = ({ row }: { row: ApiKey }) => {
  const say = useKeyWords();
  const format = useFormat();
  const scopeText = useScopeText();
  const orderedText = useOrderedText();
  return (
    <RowCard>
      <div>
        <strong>{row.name}</strong>
        <span className={styles['end']}>
          <KeyStatusTag status={row.status} />
        </span>
      </div>
      <div className={primitives['quiet']}>
        <Joined
          of={[
            row.username,
            row.station_name,
            row.last_used_at === null ? say('not_used') : format.time(row.last_used_at),
          ]}
        />
      </div>
      <div className={primitives['quiet']}>{scopeText(row)}</div>
      {row.daily_limit !== null && (
        <div className={primitives['quiet']}>
          <Joined of={[say('ordered_today'), orderedText(row)]} />
        </div>
      )}
    </RowCard>
  );
};
