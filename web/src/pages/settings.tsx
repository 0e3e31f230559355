import { useEffect, useRef, useState } from 'react';
import { listSettings } from '@waystation/contract/shell/setting-calls.ts';
import type { SettingRow } from '@waystation/contract/shell/setting-calls.ts';
import { settingGroups } from '@waystation/contract/shell/settings.ts';
import type { SettingGroup } from '@waystation/contract/shell/settings.ts';
import { useFormat } from '#base/format.ts';
import { preloadQuery, useCall } from '#base/query.ts';
import { useUser } from '#shell/session/session.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { useTexts } from '#base/texts.ts';
import { RaiseDecision } from '#money/raise-decision.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import primitives from '#ui/primitives.module.css';
import { SettingDialog } from './settings/setting-dialog.tsx';
import styles from './settings/settings.module.css';
import { settingOf, useSettingWords } from './settings/words.ts';

export const preload = (): Promise<unknown> => preloadQuery(listSettings, {});

const Row = ({ row, onEdit }: { row: SettingRow; onEdit: () => void }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const user = useUser();
  const { valueText } = useSettingWords();
  const setting = settingOf(row.name);
  const at = row.updated_at === null ? '' : format.time(row.updated_at);
  return (
    <li className={styles['row']} data-setting={row.name}>
      <div>
        <h3>{setting[language]}</h3>
        <p className={styles['hint']}>{setting.hint[language]}</p>
      </div>
      <div className={styles['value']}>
        <strong>{valueText(row.name, row.value)}</strong>
        <span className={styles['hint']}>
          {row.version === 0
            ? t('settings.default')
            : row.username === null
              ? t('settings.changed_unknown', { at })
              : t('settings.changed', { username: row.username, at })}
        </span>
      </div>
      <Button
        size="small"
        aria-label={t('settings.edit_of', { name: setting[language] })}
        onClick={onEdit}
      >
        {t('settings.edit')}
      </Button>
      {row.raise && (
        <div className={`${primitives['buttons']} ${styles['raise']}`}>
          <span>
            {t('evidence' in setting ? 'settings.shorten_waits' : 'settings.raise_waits', {
              amount: valueText(row.name, row.raise.amount_after),
              at: format.time(row.raise.effective_at),
              username: row.raise.username,
            })}
          </span>
          <RaiseDecision
            id={row.raise.id}
            name={setting[language]}
            mine={row.raise.account_id === user.id}
          />
        </div>
      )}
    </li>
  );
};

/**
 * Returns a ref for the page's element. If the URL names a setting, that setting is scrolled into
 * view and focused once.
 */
const useNamedSetting = (loaded: boolean) => {
  const page = useRef<HTMLElement>(null);
  const [{ setting }, setSearch] = usePageSearch();
  useEffect(() => {
    if (setting === undefined || !loaded) return;
    const row = page.current?.querySelector(`[data-setting="${CSS.escape(setting)}"]`);
    row?.scrollIntoView({ block: 'center' });
    row?.querySelector('button')?.focus({ preventScroll: true });
    setSearch({ setting: undefined });
  }, [setting, loaded, setSearch]);
  return page;
};

/** The page of network settings (requirements §2, Settings), for super admins only. */
export const Page = () => {
  const { t, language } = useTexts();
  const { data, error, refetch } = useCall(listSettings, {}, { staleTime: 0 });
  const page = useNamedSetting(data !== undefined);
  const [editing, setEditing] = useState<SettingRow['name'] | null>(null);
  const items = data?.items ?? [];
  const edited = items.find(({ name }) => name === editing);
  const groups = Object.keys(settingGroups) as SettingGroup[];
  return (
    <section ref={page} className={styles['page']}>
      <h1>{t('menu.settings')}</h1>
      <p className={styles['intro']}>{t('settings.intro')}</p>
      {error && !data && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {groups
        .map((group) => ({
          group,
          rows: items.filter(({ name }) => settingOf(name).group === group),
        }))
        .filter(({ rows }) => rows.length > 0)
        .map(({ group, rows }) => (
          <div key={group} className={`${primitives['card']} ${styles['card']}`}>
            <h2>{settingGroups[group][language]}</h2>
            <ul>
              {rows.map((row) => (
                <Row key={row.name} row={row} onEdit={() => setEditing(row.name)} />
              ))}
            </ul>
          </div>
        ))}
      {edited && <SettingDialog row={edited} onClose={() => setEditing(null)} />}
    </section>
  );
};
