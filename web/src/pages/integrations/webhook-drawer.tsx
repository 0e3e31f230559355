import type { Webhook } from '@waystation/contract/people/webhook.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { listedRow } from '#resource/record/listed-row.ts';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { Empty } from '#ui/empty.tsx';
import { Facts } from '#ui/facts.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { Deliveries } from './deliveries.tsx';
import { DrawerActions } from './drawer-actions.tsx';
import { WebhookStatusTag } from './webhook-status.tsx';
import { useEventsText, useWebhookWords } from './words.ts';

const Overview = ({ webhook }: { webhook: Webhook }) => {
  const say = useWebhookWords();
  const eventsText = useEventsText();
  const format = useFormat();
  const { station_name, with_below } = webhook;
  return (
    <Facts
      facts={[
        { key: 'url', label: say('url'), value: webhook.url, wide: true },
        { key: 'events', label: say('events'), value: eventsText(webhook), wide: true },
        {
          key: 'station_name',
          label: say('station'),
          value: station_name ?? say('everything'),
          ...(station_name !== null && with_below === 1 && { effect: say('below') }),
        },
        { key: 'username', label: say('account'), value: webhook.username },
        { key: 'status', label: say('status'), value: <WebhookStatusTag {...webhook} /> },
        { key: 'waiting', label: say('waiting'), value: format.number(webhook.waiting) },
        { key: 'created_at', label: say('created'), value: format.moment(webhook.created_at) },
      ]}
    />
  );
};

/** The drawer of a webhook: first its deliveries, then its settings. */
export const WebhookDrawer = ({
  list,
  actions,
}: {
  list: List<Webhook>;
  actions: readonly RowAction<Webhook>[];
}) => {
  const { t } = useTexts();
  const say = useWebhookWords();
  const { row, reading } = listedRow(list);
  const gone = <Empty title={t('lists.none_match')} hint={t('lists.none_match_hint')} />;
  return (
    <RecordDrawer
      list={list}
      title={row?.name ?? say('webhooks')}
      reading={reading}
      tabs={[
        {
          key: 'deliveries',
          label: say('deliveries'),
          content: row ? <Deliveries key={row.id} webhook={row} /> : gone,
        },
        {
          key: 'overview',
          label: t('lists.overview'),
          content: row ? <Overview webhook={row} /> : gone,
        },
      ]}
      actions={row && <DrawerActions row={row} actions={actions} />}
    />
  );
};
