import { DesktopOutlined, MobileOutlined } from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import type { AccountSession } from '@waystation/contract/people/account.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';
import { deviceOf } from './device.ts';
import styles from './session-list.module.css';

/** Returns the name of a session's device as it is shown. */
export const useDeviceName = (): ((session: AccountSession) => string) => {
  const { t } = useTexts();
  return ({ user_agent }) => {
    const { browser, system } = deviceOf(user_agent);
    return t('people.device', {
      browser: browser ?? t('people.unknown_browser'),
      system: system ?? t('people.unknown_system'),
    });
  };
};

/** A list of sessions. `renderAction` returns the actions for each session. */
export const SessionList = ({
  sessions,
  renderAction,
}: {
  sessions: readonly AccountSession[];
  renderAction?: (session: AccountSession) => ReactNode;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const nameOf = useDeviceName();
  return (
    <ul className={`${primitives['list']} ${styles['sessions']}`}>
      {sessions.map((session) => {
        const icon = /Mobile|Android|iPhone|iPad/.test(session.user_agent)
          ? MobileOutlined
          : DesktopOutlined;
        return (
          <li key={session.id}>
            <Icon of={icon} className={styles['icon']} />
            <div>
              <strong>
                {nameOf(session)}
                {session.current === 1 && (
                  <span className={styles['here']}>{t('people.this_device')}</span>
                )}
              </strong>
              <span title={format.moment(session.created_at)}>
                {[
                  t('people.address', { address: session.address }),
                  t('people.since', { time: format.time(session.created_at) }),
                  t('people.seen', { when: format.relative(session.last_seen_at) }),
                ].join(' · ')}
              </span>
            </div>
            {renderAction?.(session)}
          </li>
        );
      })}
    </ul>
  );
};
