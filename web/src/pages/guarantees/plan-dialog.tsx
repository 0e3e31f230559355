import { DeleteOutlined, PlusOutlined } from '@ant-design/icons-svg';
import { useId, useState } from 'react';
import { getTierPlan, planTiers } from '@waystation/contract/money/guarantee.ts';
import type { TierPlan } from '@waystation/contract/money/guarantee.ts';
import { mostPlannedTiers } from '@waystation/contract/base/limits.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { DayInput } from '#ui/fields/day-input.tsx';
import { FieldFrame } from '#ui/fields/field.tsx';
import { MoneyField } from '#ui/fields/number-fields.tsx';
import { Icon } from '#ui/icon.tsx';
import styles from './guarantees.module.css';
import { dayAfter, today } from './plan-days.ts';
import { useTierWords } from './words.ts';

interface Line {
  key: number;
  money: number | null;
  price: number | null;
}

/** Plans all tiers for a later day, starting with the present tiers. */
export const PlanDialog = ({
  tiers,
  onClose,
}: {
  tiers: TierPlan['tiers'];
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const say = useTierWords();
  const id = useId();
  const [tomorrow] = useState(() => dayAfter(today()));
  const [day, setDay] = useState(tomorrow);
  const [lines, setLines] = useState<readonly Line[]>(() =>
    tiers.map((tier, key) => ({ key, ...tier })),
  );
  const change = (key: number, patch: Partial<Line>): void =>
    setLines(lines.map((line) => (line.key === key ? { ...line, ...patch } : line)));
  const sending = useSubmit({
    fields: ['valid_from', ...lines.flatMap((_, at) => [`tiers.${at}.money`, `tiers.${at}.price`])],
    send: async () => {
      await call(planTiers, {
        valid_from: day,
        tiers: lines.map(({ money, price }) => ({ money: money!, price: price! })),
      });
      return say('planned_for', { day });
    },
    refreshes: [getTierPlan],
    onDone: onClose,
  });
  const problem = (value: number | null, least: number): string | undefined =>
    value === null
      ? t('common.required')
      : Number.isNaN(value)
        ? t('lists.unreadable')
        : value < least
          ? t(least === 1 ? 'guarantees.above_nought' : 'guarantees.not_below_nought')
          : undefined;
  const check = (): Record<string, string | undefined> => ({
    valid_from: day === '' ? t('common.required') : undefined,
    ...Object.fromEntries(
      lines.flatMap(({ money, price }, at) => [
        [`tiers.${at}.money`, problem(money, 1)] as const,
        [`tiers.${at}.price`, problem(price, 0)] as const,
      ]),
    ),
  });
  const add = (): void =>
    setLines([
      ...lines,
      { key: Math.max(-1, ...lines.map(({ key }) => key)) + 1, money: null, price: null },
    ]);
  return (
    <SubmitDialog
      title={t('guarantees.plan')}
      ok={say('plan_do')}
      width={520}
      sending={sending}
      check={check}
      blocked={lines.length === 0}
      onClose={onClose}
    >
      <FieldFrame
        id={id}
        label={say('plan_day')}
        required
        hint={say('plan_hint')}
        error={sending.errors['valid_from']}
      >
        <DayInput id={id} min={tomorrow} value={day} onChange={setDay} />
      </FieldFrame>
      <ul className={styles['lines']} aria-label={say('plan_tiers')}>
        {lines.map((line, at) => (
          <li key={line.key}>
            <MoneyField
              label={say('plan_money', { no: at + 1 })}
              value={line.money}
              error={sending.errors[`tiers.${at}.money`]}
              onChange={(money) => change(line.key, { money })}
            />
            <MoneyField
              label={t('guarantees.price')}
              value={line.price}
              error={sending.errors[`tiers.${at}.price`]}
              onChange={(price) => change(line.key, { price })}
            />
            <Button
              type="text"
              icon={<Icon of={DeleteOutlined} />}
              aria-label={say('plan_remove', { no: at + 1 })}
              title={say('plan_remove', { no: at + 1 })}
              onClick={() => {
                sending.clearErrors();
                setLines(lines.filter(({ key }) => key !== line.key));
              }}
            />
          </li>
        ))}
      </ul>
      <div>
        <Button
          size="small"
          icon={<Icon of={PlusOutlined} />}
          disabled={lines.length >= mostPlannedTiers}
          onClick={add}
        >
          {say('plan_add')}
        </Button>
      </div>
    </SubmitDialog>
  );
};
