import type { AccountSession } from '@waystation/contract/people/account.ts';
import { personalSessions, revokeSession } from '@waystation/contract/people/profile.ts';
import { ApiError } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { SessionList, useDeviceName } from '#shell/session/session-list.tsx';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './profile.module.css';

/** The list of the user's sessions, each with a button that ends it. */
export const Sessions = () => {
  const { t } = useTexts();
  const nameOf = useDeviceName();
  const { busy, run } = useActions<number | 'others'>([personalSessions]);
  const { data, error, refetch } = useCall(personalSessions, {}, { quiet: true, staleTime: 0 });
  const items = data?.items ?? [];
  const others = items.filter(({ current }) => current === 0);
  const end = (sessions: readonly AccountSession[], which: number | 'others') =>
    run(which, async () => {
      for (const { id } of sessions)
        await call(revokeSession, { id }).catch((error: unknown) => {
          // The session had already ended.
          if (!(error instanceof ApiError) || error.status !== 404) throw error;
        });
      notify.success(t('people.ended'));
    });
  return (
    <section className={`${styles['card']} ${styles['whole']}`} aria-labelledby="profile-sessions">
      <div className={`${primitives['buttons']} ${styles['head']}`}>
        <h2 id="profile-sessions">{t('people.devices')}</h2>
        {others.length > 1 && (
          <Button
            size="small"
            loading={busy.has('others')}
            onClick={() => void end(others, 'others')}
          >
            {t('people.end_others')}
          </Button>
        )}
      </div>
      <p className={styles['intro']}>{t('people.devices_intro')}</p>
      {error && !data ? (
        <ErrorPanel error={error} onRetry={refetch} />
      ) : (
        <SessionList
          sessions={items}
          renderAction={(session) =>
            session.current === 0 && (
              <Button
                size="small"
                loading={busy.has(session.id)}
                aria-label={t('people.end_of', { device: nameOf(session) })}
                onClick={() => void end([session], session.id)}
              >
                {t('people.end')}
              </Button>
            )
          }
        />
      )}
    </section>
  );
};
