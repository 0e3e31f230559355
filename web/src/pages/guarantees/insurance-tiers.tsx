import { useId, useState } from 'react';
import {
  getTierPlan,
  insuranceFee,
  withdrawTierPlan,
} from '@waystation/contract/money/guarantee.ts';
import type { TierPlan } from '@waystation/contract/money/guarantee.ts';
import { errorText } from '#base/error-text.ts';
import { call } from '#base/call.ts';
import { refresh, useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { listAudit } from '@waystation/contract/shell/audit.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { DayBars } from '#ui/charts/day-bars.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { DayInput } from '#ui/fields/day-input.tsx';
import { FieldFrame } from '#ui/fields/field.tsx';
import { MoneyField } from '#ui/fields/number-fields.tsx';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import { confirmed, notify } from '#ui/overlay/notify.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './guarantees.module.css';
import { dayOf, today } from './plan-days.ts';
import { PlanDialog } from './plan-dialog.tsx';
import { useTierWords } from './words.ts';

/**
 * Calculates the insurance fee of a value on a given day. Also shows the minimum insured value of
 * each carrier account.
 */
const Tester = ({ day }: { day: string }) => {
  const { t, language } = useTexts();
  const say = useTierWords();
  const [value, setValue] = useState<number | null>(50_000);
  const settled = useSettled(value, 200);
  const usable = settled !== null && !Number.isNaN(settled) && settled >= 0;
  const { data, error, refetch, isPlaceholderData } = useCall(
    insuranceFee,
    usable ? { value_amount: settled, ...(day !== '' && { day }) } : null,
    {
      keep: true,
      quiet: true,
      staleTime: 0,
    },
  );
  return (
    <div className={styles['tester']}>
      <h3>{say('tester')}</h3>
      <MoneyField
        label={say('value')}
        value={value}
        onChange={setValue}
        {...(value !== null &&
          (Number.isNaN(value) || value < 0) && { error: t('lists.unreadable') })}
      />
      {error !== null && usable && <ErrorPanel error={error} onRetry={refetch} />}
      <ul
        className={`${primitives['list']} ${styles['fees']}`}
        aria-live="polite"
        data-stale={isPlaceholderData || undefined}
      >
        {usable &&
          data?.items.map((item) => (
            <li key={item.least_amount}>
              <span>
                {item.merchants.length > 0 ? item.merchants.join(' · ') : say('no_merchant')}
                <span className={styles['quiet']}>
                  {item.least_amount > 0
                    ? say('least', { amount: yuan(item.least_amount) })
                    : say('no_least')}
                  {item.tier_amount !== null &&
                    ` · ${t('guarantees.up_to', { money: yuan(item.tier_amount) })}`}
                </span>
              </span>
              {item.reason ? (
                <strong className={styles['refused']}>
                  {errorText(item.reason.code, item.reason.params, language)}
                </strong>
              ) : (
                <strong>
                  <Money fen={item.price} />
                </strong>
              )}
            </li>
          ))}
      </ul>
    </div>
  );
};

/** The planned insurance tiers, with the button that withdraws the plan. */
const Planned = ({ plan }: { plan: NonNullable<TierPlan['plan']> }) => {
  const say = useTierWords();
  const { busy, run } = useActions<'withdraw'>();
  const day = dayOf(Date.parse(plan.valid_from));
  const withdraw = () =>
    run('withdraw', async () => {
      if (
        !(await confirmed({
          title: say('withdraw_title', { day }),
          content: say('withdraw_hint'),
          ok: say('withdraw'),
        }))
      )
        return;
      await call(withdrawTierPlan, { id: plan.id });
      notify.success(say('withdrawn'));
      await refresh(getTierPlan, insuranceFee, listAudit);
    });
  return (
    <Notice tone="info">
      <div className={styles['planned']}>
        <span>
          {say(plan.created_by === null ? 'waits' : 'waits_by', {
            day,
            count: plan.tiers.length,
            name: plan.created_by ?? '',
          })}
        </span>
        <Button size="small" loading={busy.size > 0} onClick={() => void withdraw()}>
          {say('withdraw')}
        </Button>
      </div>
    </Notice>
  );
};

/** A chart that shows the tiers of a day as steps. */
const Steps = ({ tiers }: { tiers: TierPlan['tiers'] }) => {
  const { t } = useTexts();
  const top = tiers.at(-1);
  if (!top) return <p className={styles['quiet']}>{t('guarantees.empty')}</p>;
  return (
    <DayBars
      title={t('guarantees.insurance_tiers')}
      format={(fen) => yuan(fen)}
      sentence={t('guarantees.sentence', {
        count: tiers.length,
        money: yuan(top.money),
        price: yuan(top.price),
      })}
      bars={tiers.map(({ money, price }) => ({
        key: t('guarantees.up_to', { money: yuan(money) }),
        label: `${money / 100}`,
        value: price,
        words: t('guarantees.step', { money: yuan(money), price: yuan(price) }),
      }))}
    />
  );
};

/** The tiers of a day shown as steps, the planned tiers, and a fee calculator. */
export const InsuranceTiers = () => {
  const { t } = useTexts();
  const say = useTierWords();
  const id = useId();
  const [now] = useState(today);
  const [day, setDay] = useState(now);
  const [planning, setPlanning] = useState(false);
  const { data, error, refetch } = useCall(getTierPlan, {}, { quiet: true });
  const plan = data?.plan ?? null;
  const begun = plan !== null && day >= dayOf(Date.parse(plan.valid_from));
  return (
    <aside className={styles['aside']} aria-labelledby="insurance-tiers">
      <header className={styles['head']}>
        <h2 id="insurance-tiers">{t('guarantees.insurance_tiers')}</h2>
        {data && plan === null && (
          <Button size="small" onClick={() => setPlanning(true)}>
            {t('guarantees.plan')}
          </Button>
        )}
      </header>
      {error !== null && <ErrorPanel error={error} onRetry={refetch} />}
      {plan && <Planned plan={plan} />}
      {plan && (
        <FieldFrame id={id} label={say('day')}>
          <DayInput id={id} min={now} value={day} onChange={(next) => setDay(next || now)} />
        </FieldFrame>
      )}
      {data && <Steps tiers={begun ? plan.tiers : data.tiers} />}
      <Tester day={plan === null ? '' : day} />
      <p className={styles['quiet']}>{say('frozen')}</p>
      {planning && data && <PlanDialog tiers={data.tiers} onClose={() => setPlanning(false)} />}
    </aside>
  );
};
