import type { ApiKey } from '@waystation/contract/people/api-key.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { listedRow } from '#resource/record/listed-row.ts';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { Empty } from '#ui/empty.tsx';
import { Facts } from '#ui/facts.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { yuan } from '#ui/values/amounts.ts';
import { KeyStatusTag, useScopeText } from './columns.tsx';
import { DrawerActions } from './drawer-actions.tsx';
import { useKeyWords } from './words.ts';

const Overview = ({ row }: { row: ApiKey }) => {
  const { t } = useTexts();
  const say = useKeyWords();
  const scopeText = useScopeText();
  const { moment } = useFormat();
  return (
    <Facts
      facts={[
        { key: 'username', label: say('account'), value: row.username },
        { key: 'station_name', label: t('common.station'), value: row.station_name },
        { key: 'hint', label: say('hint_column'), value: <code>{row.hint}…</code> },
        { key: 'status', label: say('status'), value: <KeyStatusTag status={row.status} /> },
        { key: 'scopes', label: say('scopes'), value: scopeText(row), wide: true },
        {
          key: 'addresses',
          label: say('addresses'),
          value: row.addresses.join(', ') || say('any_address'),
          wide: true,
        },
        {
          key: 'daily_limit',
          label: say('daily_limit'),
          value: row.daily_limit === null ? say('no_limit') : yuan(row.daily_limit),
        },
        { key: 'ordered_today', label: say('ordered_today'), value: yuan(row.ordered_today) },
        {
          key: 'last_used_at',
          label: say('last_used'),
          value: row.last_used_at === null ? say('not_used') : moment(row.last_used_at),
        },
        {
          key: 'expires_at',
          label: say('expires'),
          value: row.expires_at === null ? say('never') : moment(row.expires_at),
        },
        { key: 'made_by', label: say('made_by'), value: row.made_by ?? say('made_above') },
        { key: 'created_at', label: t('lists.created'), value: moment(row.created_at) },
      ]}
    />
  );
};

/** The drawer of an API key, beside the list of keys. */
export const KeyDrawer = ({
  list,
  actions,
}: {
  list: List<ApiKey>;
  actions: readonly RowAction<ApiKey>[];
}) => {
  const { t } = useTexts();
  const { row, reading } = listedRow(list);
  return (
    <RecordDrawer
      list={list}
      title={row?.name ?? t('menu.integrations')}
      reading={reading}
      tabs={[
        {
          key: 'overview',
          label: t('lists.overview'),
          content: row ? (
            <Overview row={row} />
          ) : (
            <Empty title={t('lists.none_match')} hint={t('lists.none_match_hint')} />
          ),
        },
      ]}
      actions={row && <DrawerActions row={row} actions={actions} />}
    />
  );
};
