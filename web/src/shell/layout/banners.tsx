import {
  ClockCircleOutlined,
  CloudSyncOutlined,
  DisconnectOutlined,
  RocketOutlined,
  StopOutlined,
} from '@ant-design/icons-svg';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { ledgerStanding } from '@waystation/contract/money/station-statement.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { outageName, useOutages } from '#shell/outages.ts';
import styles from './banners.module.css';
import { useFormat } from '#base/format.ts';
import { useNewVersion } from './new-version.ts';
import { useOnline } from './online.ts';
import { useCall } from '#base/query.ts';
import { useAbout } from '#base/use-facts.ts';
import { useIdle } from '#base/idle.ts';
import { stayLoggedIn, useExpiry } from '#shell/session/session-watch.ts';
import { useSession } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';

const Banner = ({
  tone,
  icon,
  children,
  action,
}: {
  tone: 'warn' | 'info';
  icon: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}) => (
  <span className={styles['banner']} data-tone={tone}>
    <span className={styles['icon']} aria-hidden>
      {icon}
    </span>
    <span>{children}</span>
    {action}
  </span>
);

/** The number of seconds until `endsAt`, updated every second. */
const useSecondsLeft = (endsAt: number): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((endsAt - now) / 1000));
};

const ExpiryBanner = ({ endsAt }: { endsAt: number }) => {
  const { t } = useTexts();
  const left = useSecondsLeft(endsAt);
  return (
    <Banner
      tone="warn"
      icon={<Icon of={ClockCircleOutlined} />}
      action={
        <Button size="small" onClick={() => void stayLoggedIn()}>
          {t('shell.stay_logged_in')}
        </Button>
      }
    >
      {t('shell.session_ends', {
        minutes: Math.floor(left / 60),
        seconds: String(left % 60).padStart(2, '0'),
      })}
    </Banner>
  );
};

const VersionBanner = () => {
  const { t } = useTexts();
  return (
    <Banner
      tone="info"
      icon={<Icon of={RocketOutlined} />}
      action={
        <>
          <Button size="small" onClick={() => window.location.reload()}>
            {t('shell.reload_now')}
          </Button>
          <Button
            size="small"
            type="text"
            onClick={() => useNewVersion.setState({ waiting: false })}
          >
            {t('shell.later')}
          </Button>
        </>
      }
    >
      {t('shell.new_version')}
    </Banner>
  );
};

/** The notice that postings to the ledger are stopped. Every user sees it. */
const StoppedBanner = () => {
  const { t } = useTexts();
  const user = useSession((state) => state.user);
  const idle = useIdle((state) => state.idle);
  const { data } = useCall(ledgerStanding, user === null || !idle ? null : {}, {
    quiet: true,
    refetchInterval: 60_000,
    staleTime: 55_000,
  });
  if (data?.stopped !== 1) return null;
  return (
    <Banner tone="warn" icon={<Icon of={StopOutlined} />}>
      {t('shell.ledger_stopped')}
    </Banner>
  );
};

/**
 * The notice of an outage, shown to every user who orders. It explains that orders are accepted and
 * wait.
 */
const OutageBanner = () => {
  const { t, language } = useTexts();
  const format = useFormat();
  const user = useSession((state) => state.user);
  const idle = useIdle((state) => state.idle);
  const outages = useOutages(user !== null && idle);
  if (outages.length === 0) return null;
  const carriers = outages.map((outage) =>
    t('shell.carrier_down_since', {
      carrier: outageName(outage, language),
      time: format.time(outage.since),
      count: outage.waiting,
    }),
  );
  return (
    <Banner tone="warn" icon={<Icon of={DisconnectOutlined} />}>
      {t('shell.carrier_down', { carriers: carriers.join(language === 'en' ? '; ' : '；') })}
    </Banner>
  );
};

/**
 * Shown while the demo simulates the days on which it did not run. States and amounts then change
 * although no user acts.
 */
const DemoBanner = () => {
  const { t } = useTexts();
  if (useAbout()?.demo_catching_up !== true) return null;
  return (
    <Banner tone="info" icon={<Icon of={CloudSyncOutlined} />}>
      {t('shell.demo_catching_up')}
    </Banner>
  );
};

/**
 * Notices above all pages. Each notice is shown until its cause has ended. The surrounding element
 * always exists, so that screen readers announce new notices.
 */
export const Banners = () => {
  const { t } = useTexts();
  const online = useOnline();
  const waiting = useSession((state) => state.waiting);
  const endsAt = useExpiry((state) => state.endsAt);
  const newVersion = useNewVersion((state) => state.waiting);
  return (
    <output className={styles['banners']}>
      {!online && (
        <Banner tone="warn" icon={<Icon of={DisconnectOutlined} />}>
          {t('shell.offline')}
        </Banner>
      )}
      {online && waiting && (
        <Banner tone="warn" icon={<Icon of={CloudSyncOutlined} />}>
          {t('shell.server_away')}
        </Banner>
      )}
      <StoppedBanner />
      <OutageBanner />
      <DemoBanner />
      {endsAt !== null && <ExpiryBanner endsAt={endsAt} />}
      {newVersion && <VersionBanner />}
    </output>
  );
};
