import { CheckCircleFilled, RightOutlined } from '@ant-design/icons-svg';
import type { SetupStep } from '@waystation/contract/shell/workplace.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { screenOf } from '@waystation/contract/shell/screens.ts';
import type { ScreenName } from '@waystation/contract/shell/screens.ts';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import type { Board } from './board.ts';
import styles from './checklist.module.css';
import board from './workplace.module.css';

/** The screen on which each step of the setup is completed. */
const screens: Record<SetupStep, string> = {
  merchant: 'MerchantTable',
  goods: 'CargoTable',
  promise: 'PromiseTable',
  voucher: 'VoucherTable',
  project: 'ProjectTable',
  station: 'StationTable',
  account: 'AccountTable',
  money: 'StationTable',
  parcel: 'ExpressStore',
};

/**
 * Shows the steps from an empty network to its first parcel, each with a link to its screen. The
 * next step is highlighted.
 */
export const Checklist = ({ steps }: { steps: NonNullable<Board['checklist']> }) => {
  const { t } = useTexts();
  const next = steps.find(({ done }) => done === 0)?.step;
  return (
    <section className={board['card']} aria-labelledby="workplace-setup">
      <h2 id="workplace-setup">{t('workplace.setup')}</h2>
      <p className={board['calm']}>{t('workplace.setup_hint')}</p>
      <ol className={styles['steps']}>
        {steps.map(({ step, done }, index) => {
          const words = (
            <>
              <span className={styles['mark']} data-done={done || undefined}>
                {done === 1 ? <Icon of={CheckCircleFilled} /> : index + 1}
              </span>
              <span>{t(`workplace.setup_step.${step}`)}</span>
              <span className="sr-only">
                {done === 1 ? t('workplace.setup_done') : t('workplace.setup_open')}
              </span>
            </>
          );
          const name = screens[step];
          return (
            <li key={step} aria-current={step === next ? 'step' : undefined}>
              {screenOf(name) ? (
                <a className={styles['step']} href={screenHref(name as ScreenName)}>
                  {words}
                  <Icon of={RightOutlined} className={styles['onward']} />
                </a>
              ) : (
                <span className={styles['step']}>{words}</span>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
};
