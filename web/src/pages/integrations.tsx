import { useState } from 'react';
import type { ReactNode } from 'react';
import { managers } from '@waystation/contract/base/roles.ts';
import { listKeys, revokeKey } from '@waystation/contract/people/api-key.ts';
import type { ApiKey } from '@waystation/contract/people/api-key.ts';
import { keyStatusWords } from '@waystation/contract/people/key-words.ts';
import { call } from '#base/call.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { ListFilter } from '#resource/list/list-filters.ts';
import { ListPage } from '#resource/list/list-page.tsx';
import { useList } from '#resource/list/use-list.ts';
import { useSeveralStations } from '#resource/stations/station-picker.tsx';
import { useUser } from '#shell/session/session.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { confirmed, notify } from '#ui/overlay/notify.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { Segmented } from '#ui/segmented.tsx';
import { KeyCard, useKeyColumns } from './integrations/columns.tsx';
import { CreateDialog, MadeDialog } from './integrations/create-dialog.tsx';
import type { MadeKey } from './integrations/create-dialog.tsx';
import styles from './integrations/integrations.module.css';
import { KeyDrawer } from './integrations/key-drawer.tsx';
import { LimitDialog } from './integrations/limit-dialog.tsx';
import { WebhooksView } from './integrations/webhooks.tsx';
import { useKeyWords, useWebhookWords } from './integrations/words.ts';

const useFilters = (): ListFilter[] => {
  const { language } = useTexts();
  const say = useKeyWords();
  return [
    {
      key: 'status',
      kind: 'choice',
      label: say('status'),
      options: Object.entries(keyStatusWords).map(([value, words]) => ({
        value,
        label: words[language],
      })),
    },
  ];
};

const KeysView = ({ tabs }: { tabs: ReactNode }) => {
  const { t } = useTexts();
  const say = useKeyWords();
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<MadeKey | null>(null);
  const [limited, setLimited] = useState<ApiKey | null>(null);
  const list = useList({
    name: 'keys',
    endpoint: listKeys,
    filters: useFilters(),
    sort: '-created_at',
  });
  const revoke = async ({ id, name }: ApiKey): Promise<void> => {
    const sure = await confirmed({
      title: say('revoke_title', { name }),
      content: say('revoke_hint'),
      ok: say('revoke'),
      danger: true,
    });
    if (!sure) return;
    try {
      await call(revokeKey, { id });
      notify.success(say('revoked', { name }));
    } catch (error) {
      notify.failure(error);
    } finally {
      await refresh(listKeys);
    }
  };
  const actions: RowAction<ApiKey>[] = [
    {
      key: 'limit',
      label: say('limit'),
      visible: ({ status, scopes }) =>
        (status === 'live' || status === 'stopped') && scopes.includes('order'),
      run: setLimited,
    },
    {
      key: 'revoke',
      label: say('revoke'),
      danger: true,
      visible: ({ status }) => status === 'live' || status === 'stopped',
      run: (row) => void revoke(row),
    },
  ];
  return (
    <ListPage
      list={list}
      title={t('menu.integrations')}
      searches={say('searches')}
      columns={useKeyColumns(actions, useSeveralStations())}
      nameOf={({ name }) => name}
      card={KeyCard}
      create={{ label: say('create'), run: () => setCreating(true) }}
      hint={say('hint')}
      slots={{ tabs }}
    >
      {creating && (
        <CreateDialog
          onMade={(key) => {
            setCreating(false);
            setMade(key);
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {limited && <LimitDialog row={limited} onClose={() => setLimited(null)} />}
      {made && <MadeDialog made={made} onClose={() => setMade(null)} />}
      <KeyDrawer list={list} actions={actions} />
    </ListPage>
  );
};

/**
 * The page of API keys and webhooks: those of the user's account and of the accounts that the user
 * manages (requirements §2, Integrations).
 */
export const Page = () => {
  const { role } = useUser();
  const say = useWebhookWords();
  const [search, setSearch] = usePageSearch();
  const view = search['of'] === 'webhooks' && managers.includes(role) ? 'webhooks' : 'keys';
  const setView = (of: 'keys' | 'webhooks'): void =>
    setSearch({
      ...Object.fromEntries(Object.keys(search).map((key) => [key, undefined])),
      of: of === 'keys' ? undefined : of,
    });
  const tabs = managers.includes(role) ? (
    <div className={styles['views']}>
      <Segmented
        label={say('tabs')}
        value={view}
        options={[
          { value: 'keys', label: say('keys') },
          { value: 'webhooks', label: say('webhooks') },
        ]}
        onChange={setView}
      />
    </div>
  ) : undefined;
  return view === 'keys' ? <KeysView tabs={tabs} /> : <WebhooksView tabs={tabs} />;
};
