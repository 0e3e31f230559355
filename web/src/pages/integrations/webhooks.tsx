import { useState } from 'react';
import type { ReactNode } from 'react';
import {
  listWebhooks,
  removeWebhook,
  setWebhookStatus,
  testWebhook,
  webhookOwners,
} from '@waystation/contract/people/webhook.ts';
import type { Webhook } from '@waystation/contract/people/webhook.ts';
import { call } from '#base/call.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { TextCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import { ListPage } from '#resource/list/list-page.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import { useList } from '#resource/list/use-list.ts';
import type { Column } from '#resource/table/column.ts';
import { fittedWidth } from '#resource/table/fitted-width.ts';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import { useUser } from '#shell/session/session.ts';
import { confirmed, notify } from '#ui/overlay/notify.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import primitives from '#ui/primitives.module.css';
import styles from './integrations.module.css';
import { EnableDialog, RotateDialog, SecretDialog, WebhookDialog } from './webhook-dialog.tsx';
import type { WithSecret } from './webhook-dialog.tsx';
import { WebhookDrawer } from './webhook-drawer.tsx';
import { WebhookStatusTag, statusTexts } from './webhook-status.tsx';
import { useEventsText, useWebhookWords } from './words.ts';

const useColumns = (actions: readonly RowAction<Webhook>[]): Column<Webhook>[] => {
  const { t, language } = useTexts();
  const say = useWebhookWords();
  const eventsText = useEventsText();
  return [
    {
      key: 'name',
      title: say('name'),
      width: 112,
      grow: true,
      pin: 'start',
      fixed: true,
      sort: 'name',
      cell: (row) => <TextCell text={row.name} />,
    },
    {
      key: 'url',
      title: say('url'),
      width: 120,
      grow: true,
      cell: (row) => <TextCell text={row.url} />,
    },
    {
      key: 'events',
      title: say('events'),
      width: 124,
      grow: true,
      cell: (row) => <TextCell text={eventsText(row)} />,
    },
    {
      key: 'station_name',
      title: say('station'),
      width: 112,
      grow: true,
      ...textColumn((row: Webhook) => row.station_name ?? say('everything')),
    },
    {
      key: 'username',
      title: say('account'),
      width: 96,
      sort: 'username',
      ...textColumn((row: Webhook) => row.username),
    },
    {
      key: 'status',
      title: say('status'),
      width: fittedWidth(say('status'), { sorts: true, texts: statusTexts(language), beside: 16 }),
      sort: 'status',
      cell: (row) => <WebhookStatusTag {...row} />,
    },
    {
      key: 'waiting',
      title: say('waiting'),
      width: 96,
      align: 'end',
      cell: (row) => row.waiting,
    },
    {
      key: 'created_at',
      title: t('lists.created'),
      width: 112,
      sort: 'created_at',
      cell: (row) => <TimeCell at={row.created_at} />,
    },
    {
      key: 'actions',
      title: t('lists.actions'),
      width: 196,
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={row.name} actions={actions} />,
    },
  ];
};

const WebhookCard = ({ row }: { row: Webhook }) => (
  <RowCard>
    <div>
      <strong>{row.name}</strong>
      <span className={styles['end']}>
        <WebhookStatusTag {...row} />
      </span>
    </div>
    <div className={primitives['quiet']}>
      <Joined of={[row.username, row.station_name]} />
    </div>
    <div className={primitives['quiet']}>{row.url}</div>
  </RowCard>
);

type Open = { what: 'create' } | { what: 'edit' | 'rotate' | 'enable'; webhook: Webhook };

const useActions = (
  show: (open: Open) => void,
  openRow: (row: Webhook) => void,
): RowAction<Webhook>[] => {
  const say = useWebhookWords();
  const then = async (change: Promise<unknown>, done?: string): Promise<void> => {
    try {
      await change;
      if (done !== undefined) notify.success(done);
    } catch (error) {
      notify.failure(error);
    } finally {
      await refresh(listWebhooks);
    }
  };
  const sure = async (what: 'disable' | 'remove', { id, name }: Webhook): Promise<void> => {
    const yes = await confirmed({
      title: say(`${what}_title`, { name }),
      content: say(`${what}_hint`),
      ok: say(what),
      danger: true,
    });
    if (!yes) return;
    await then(
      what === 'disable'
        ? call(setWebhookStatus, { id, status: 'disabled' })
        : call(removeWebhook, { id }),
    );
  };
  return [
    {
      key: 'deliveries',
      label: say('deliveries'),
      run: openRow,
    },
    {
      key: 'test',
      label: say('test'),
      visible: ({ mine, status }) => mine === 1 && status === 'live',
      run: ({ id }) => void then(call(testWebhook, { id }), say('tested')),
    },
    {
      key: 'edit',
      label: say('edit'),
      visible: ({ mine }) => mine === 1,
      run: (webhook) => show({ what: 'edit', webhook }),
    },
    {
      key: 'rotate',
      label: say('rotate'),
      visible: ({ mine }) => mine === 1,
      run: (webhook) => show({ what: 'rotate', webhook }),
    },
    {
      key: 'enable',
      label: say('enable'),
      visible: ({ may_enable }) => may_enable === 1,
      run: (webhook) => show({ what: 'enable', webhook }),
    },
    {
      key: 'disable',
      label: say('disable'),
      danger: true,
      visible: ({ status }) => status !== 'disabled',
      run: (webhook) => void sure('disable', webhook),
    },
    {
      key: 'remove',
      label: say('remove'),
      danger: true,
      run: (webhook) => void sure('remove', webhook),
    },
  ];
};

/** The view of webhooks: those of the user's account and of the accounts that the user manages. */
export const WebhooksView = ({ tabs }: { tabs: ReactNode }) => {
  const { t } = useTexts();
  const say = useWebhookWords();
  const { role } = useUser();
  const [open, setOpen] = useState<Open | null>(null);
  const [made, setMade] = useState<WithSecret | null>(null);
  const list = useList({
    name: 'webhooks',
    endpoint: listWebhooks,
    filters: [],
    sort: '-created_at',
  });
  const actions = useActions(setOpen, list.open);
  const close = (): void => setOpen(null);
  const showSecret = (result: WithSecret): void => {
    close();
    setMade(result);
  };
  return (
    <ListPage
      list={list}
      title={t('menu.integrations')}
      searches={say('searches')}
      columns={useColumns(actions)}
      nameOf={({ name }) => name}
      card={WebhookCard}
      {...(webhookOwners.includes(role) && {
        create: { label: say('create'), run: () => setOpen({ what: 'create' }) },
      })}
      hint={say('hint')}
      slots={{ tabs }}
    >
      {open?.what === 'create' && (
        <WebhookDialog webhook={null} onMade={showSecret} onClose={close} />
      )}
      {open?.what === 'edit' && (
        <WebhookDialog webhook={open.webhook} onMade={showSecret} onClose={close} />
      )}
      {open?.what === 'rotate' && (
        <RotateDialog webhook={open.webhook} onMade={showSecret} onClose={close} />
      )}
      {open?.what === 'enable' && <EnableDialog webhook={open.webhook} onClose={close} />}
      <WebhookDrawer list={list} actions={actions.filter(({ key }) => key !== 'deliveries')} />
      {made && <SecretDialog made={made} onClose={() => setMade(null)} />}
    </ListPage>
  );
};
