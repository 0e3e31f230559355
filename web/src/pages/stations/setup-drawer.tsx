import { CheckCircleFilled, ClockCircleOutlined } from '@ant-design/icons-svg';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import {
  beginStationSetup,
  endStationSetup,
  getStationSetup,
  listStationSetups,
} from '@waystation/contract/network/station-setup.ts';
import type { SetupStepName, StationSetup } from '@waystation/contract/network/station-setup.ts';
import { getStation } from '@waystation/contract/network/station.ts';
import { call } from '#base/call.ts';
import { useLiveEvents } from '#base/live-events.ts';
import { refresh, useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { AccountForm } from '#resource/accounts/account-form.tsx';
import { IssuedPasswordDialog } from '#resource/accounts/issued-password.tsx';
import type { IssuedPassword } from '#resource/accounts/issued-password.tsx';
import { useActions } from '#shell/submit/use-actions.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import { Progress } from '#ui/progress.tsx';
import primitives from '#ui/primitives.module.css';
import { useAuthorities } from './authority.ts';
import { PriceTab } from './price-tab.tsx';
import { useStepWords } from './setup-words.ts';
import styles from './setup.module.css';

export const setupShows = [listStationSetups, getStationSetup] as const;

interface Props {
  id: number;
  /** True if a form is open above the guide. */
  covered: boolean;
  onEdit: (id: number) => void;
  onTopUp: (station: { id: number; name: string }) => void;
  onClose: () => void;
}

/**
 * The setup steps with their present values and actions. When another step becomes the next open
 * step, it gets the focus.
 */
const Steps = ({
  setup,
  covered,
  actions,
}: {
  setup: StationSetup;
  covered: boolean;
  actions: Partial<Record<SetupStepName, ReactNode>>;
}) => {
  const { t } = useTexts();
  const words = useStepWords(setup);
  const list = useRef<HTMLOListElement>(null);
  const next = setup.steps.find(({ state }) => state === 'open')?.step;
  useEffect(() => {
    if (covered) return;
    // Waits until a closed form has returned the focus to the element that had it before.
    const timer = setTimeout(
      () =>
        list.current?.querySelector<HTMLElement>('[aria-current] :is(button, summary)')?.focus(),
      60,
    );
    return () => clearTimeout(timer);
  }, [next, covered]);
  return (
    <ol ref={list} className={styles['steps']}>
      {setup.steps.map(({ step, state }, index) => (
        <li key={step} data-state={state} aria-current={step === next ? 'step' : undefined}>
          <span className={styles['mark']} data-state={state}>
            {state === 'done' ? (
              <Icon of={CheckCircleFilled} />
            ) : state === 'waiting' ? (
              <Icon of={ClockCircleOutlined} />
            ) : (
              index + 1
            )}
          </span>
          <div className={styles['words']}>
            <strong>{t(`stations.setup_step.${step}`)}</strong>
            <span className="sr-only">{t(`stations.setup_state.${state}`)}</span>
            <span>{words[step]}</span>
          </div>
          {actions[step]}
        </li>
      ))}
    </ol>
  );
};

/** The price calculator of the station, which is opened inside the guide. */
const TestPrice = ({ id }: { id: number }) => {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  const { data } = useCall(getStation, open ? { id } : null, { quiet: true, staleTime: 0 });
  return (
    <details className={styles['price']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('stations.tab_price')}</summary>
      {data && <PriceTab key={data.version} station={data} />}
    </details>
  );
};

const useSetup = (id: number) => {
  const reading = useCall(getStationSetup, { id }, { quiet: true, keep: true, staleTime: 0 });
  const again = (): void => void refresh(getStationSetup);
  // The setup is read again after a carrier has answered or a second person has decided.
  useLiveEvents('parcel', again);
  useLiveEvents('parcels', again);
  useLiveEvents('inbox', again);
  useLiveEvents('reset', again);
  return reading;
};

/**
 * The guide for setting up a new station. The state of each step is derived from the station. So
 * the user can leave the guide and continue it at any time on any device.
 */
export const SetupDrawer = ({ id, covered, onEdit, onTopUp, onClose }: Props) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const { office } = useAuthorities();
  const { data, error, refetch } = useSetup(id);
  const setup = data?.station_id === id ? data : undefined;
  const [adding, setAdding] = useState(false);
  const [issued, setIssued] = useState<IssuedPassword | null>(null);
  // True while the form is open for another change. The form stays open under the password dialog,
  // so that the focus first returns to the form and then goes to the next step.
  const [again, setAgain] = useState(false);
  const { busy, run } = useActions<'guide'>(setupShows);
  const station = setup && { id, name: setup.station_name };
  const isNext = (step: SetupStepName): boolean =>
    setup?.steps.find(({ state }) => state === 'open')?.step === step;
  const button = (step: SetupStepName, label: string, press: () => void): ReactNode => (
    <Button size="small" type={isNext(step) ? 'primary' : 'default'} onClick={press}>
      {label}
    </Button>
  );
  const isOpen = (step: SetupStepName): boolean =>
    setup?.steps.find((one) => one.step === step)?.state === 'open';
  const actions: Partial<Record<SetupStepName, ReactNode>> = {
    station: button('station', t('lists.edit'), () => onEdit(id)),
    ...(office && { scheme: button('scheme', t('stations.setup_choose'), () => onEdit(id)) }),
    price: <TestPrice id={id} />,
    account: button('account', t('stations.setup_account'), () => setAdding(true)),
    ...(office &&
      setup &&
      isOpen('top_up') && {
        top_up: button('top_up', t('stations.top_up'), () => onTopUp(station!)),
      }),
    ...(setup &&
      isOpen('parcel') && {
        parcel: button('parcel', t('stations.setup_order'), () =>
          openScreen('ExpressStore', { station: id }),
        ),
      }),
  };
  const guide = (): void =>
    void run(
      'guide',
      async () =>
        void (await call(setup!.is_open === 1 ? endStationSetup : beginStationSetup, { id })),
    );
  const isDone = setup !== undefined && setup.done === setup.steps.length;
  return (
    <Drawer
      open
      onClose={onClose}
      size={narrow ? '100%' : 560}
      title={setup ? t('stations.setup_title', { name: setup.station_name }) : t('shell.loading')}
      footer={
        setup && (
          <div className={primitives['buttons']}>
            <Button type={isDone ? 'primary' : 'default'} onClick={onClose}>
              {t(isDone ? 'stations.setup_finish' : 'stations.setup_later')}
            </Button>
            <Button loading={busy.has('guide')} onClick={guide}>
              {t(setup.is_open === 1 ? 'stations.setup_end' : 'stations.setup_begin')}
            </Button>
          </div>
        )
      }
    >
      {error && !setup && <ErrorPanel error={error} onRetry={refetch} />}
      {setup && (
        <>
          <p className={styles['head']} role="status">
            {t(isDone ? 'stations.setup_all_done' : 'stations.setup_done', {
              done: setup.done,
              steps: setup.steps.length,
            })}
          </p>
          <Progress
            percent={Math.round((100 * setup.done) / setup.steps.length)}
            label={t('stations.setup')}
            tone={isDone ? 'done' : 'going'}
            figure={false}
          />
          <Steps setup={setup} covered={covered || adding || issued !== null} actions={actions} />
        </>
      )}
      {adding && station && (
        <AccountForm
          row={null}
          station={station}
          onIssued={setIssued}
          onSaved={(account, next) => {
            notify.success(t('lists.added', { name: account.username }));
            void refresh(...setupShows);
            setAgain(next);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {issued && (
        <IssuedPasswordDialog
          issued={issued}
          onClose={() => {
            setIssued(null);
            setAdding(again);
          }}
        />
      )}
    </Drawer>
  );
};
