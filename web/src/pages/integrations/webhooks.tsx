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
import {
  webhookKindWords,
  webhookStatusWords,
  webhookStopWords,
} from '@waystation/contract/people/webhook-words.ts';
import { call } from '#base/call.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { TextCell, TimeCell } from '#resource/list/cells.tsx';
import { ListPage } from '#resource/list/list-page.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import { useList } from '#resource/list/use-list.ts';
import type { Column } from '#resource/table/column.ts';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import { useUser } from '#shell/session/session.ts';
import { confirmed, notify } from '#ui/overlay/notify.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import primitives from '#ui/primitives.module.css';
import { DeliveriesDrawer } from './deliveries-drawer.tsx';
import styles from './integrations.module.css';
import { RotateDialog, SecretDialog, WebhookDialog } from './webhook-dialog.tsx';
import type { WithSecret } from './webhook-dialog.tsx';
import { useWebhookWords } from './words.ts';

/** The status of a webhook, or why it is disabled. */
const StatusTag = ({ status, stopped_by, failures }: Webhook) => {
  const { language } = useTexts();
  const say = useWebhookWords();
  const why = stopped_by && webhookStopWords[stopped_by][language];
  const isFailing = status === 'live' && failures > 0;
  return (
    <span className={styles['status']} data-status={isFailing ? 'failing' : status}>
      {status === 'disabled' && why
        ? why
        : isFailing
          ? say('failing')
          : webhookStatusWords[status][language]}
    </span>
  );
};

const useColumns = (actions: readonly RowAction<Webhook>[]): Column<Webhook>[] => {
  const { t, language } = useTexts();
  const say = useWebhookWords();
  const kindText = ({ events }: Webhook): string =>
    events.map((kind) => webhookKindWords[kind][language]).join(language === 'zh' ? '、' : ', ');
  return [
    {
      key: 'name',
      title: say('name'),
      width: 132,
      grow: true,
      pin: 'start',
      fixed: true,
      sort: 'name',
      cell: (row) => <TextCell text={row.name} />,
    },
    {
      key: 'url',
      title: say('url'),
      width: 160,
      grow: true,
      cell: (row) => <TextCell text={row.url} />,
    },
    {
      key: 'events',
      title: say('events'),
      width: 140,
      grow: true,
      cell: (row) => <TextCell text={kindText(row)} />,
    },
    {
      key: 'station_name',
      title: say('station'),
      width: 132,
      grow: true,
      cell: (row) => <TextCell text={row.station_name ?? say('everything')} />,
    },
    {
      key: 'username',
      title: say('account'),
      width: 112,
      sort: 'username',
      cell: (row) => <TextCell text={row.username} />,
    },
    {
      key: 'status',
      title: say('status'),
      width: language === 'en' ? 148 : 128,
      sort: 'status',
      cell: (row) => <StatusTag {...row} />,
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
      width: language === 'en' ? 196 : 164,
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
        <StatusTag {...row} />
      </span>
    </div>
    <div className={primitives['quiet']}>
      <Joined of={[row.username, row.station_name]} />
    </div>
    <div className={primitives['quiet']}>{row.url}</div>
  </RowCard>
);

type Open = { what: 'create' } | { what: 'edit' | 'rotate' | 'deliveries'; webhook: Webhook };

const useActions = (show: (open: Open) => void): RowAction<Webhook>[] => {
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
      run: (webhook) => show({ what: 'deliveries', webhook }),
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

/** The webhooks of the own account and of managed ones. */
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
      columns={useColumns(useActions(setOpen))}
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
      {open?.what === 'deliveries' && <DeliveriesDrawer webhook={open.webhook} onClose={close} />}
      {made && <SecretDialog made={made} onClose={() => setMade(null)} />}
    </ListPage>
  );
};
