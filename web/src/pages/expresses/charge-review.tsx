import { useState } from 'react';
import { errorText } from '#base/error-text.ts';
import {
  countExceptions,
  decideCharge,
  expressStatements,
  getExpress,
  listExpresses,
  priceExpress,
  readCharge,
} from '@waystation/contract/parcels/express-calls.ts';
import type { ChargeDecision } from '@waystation/contract/parcels/express-exceptions.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { office } from '@waystation/contract/base/roles.ts';
import { kgText } from '@waystation/contract/base/weight.ts';
import { workplace } from '@waystation/contract/shell/workplace.ts';
import { call } from '#base/call.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { numberOf } from '#parcels/parcel-rules.ts';
import { ReasonFormDialog } from '#resource/form/submit-dialog.tsx';
import { usePermitted } from '#shell/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { yuan } from '#ui/values/amounts.ts';
import styles from './charge-review.module.css';

type Charge = NonNullable<OutputOf<typeof readCharge>['charge']>;

const kg = (grams: number): string => `${kgText(grams)} kg`;

/** The carrier's reported charge in one line. */
const useReported = (): ((charge: Charge) => string) => {
  const { t } = useTexts();
  return ({ jd_weight, jd_cal_weight, jd_amount, surcharges }) =>
    [
      jd_weight !== null && t('expresses.charge.weight', { weight: kg(jd_weight) }),
      jd_cal_weight !== null && t('expresses.charge.cal_weight', { weight: kg(jd_cal_weight) }),
      jd_amount !== null && t('expresses.charge.cost', { amount: yuan(jd_amount) }),
      ...surcharges.map(({ name, amount }) => `${name} ${yuan(amount)}`),
    ]
      .filter((part) => part !== false)
      .join(' · ');
};

const Decide = ({
  parcel,
  charge,
  decision,
  onClose,
}: {
  parcel: Express;
  charge: Charge;
  decision: ChargeDecision;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const reported = useReported()(charge);
  return (
    <ReasonFormDialog
      title={t(`expresses.charge.title.${decision}`, { number: numberOf(parcel) })}
      ok={t(`expresses.charge.do.${decision}`)}
      above={
        <>
          {reported !== '' && <p className="tabular">{reported}</p>}
          <p>{t(`expresses.charge.effect.${decision}`)}</p>
        </>
      }
      send={async (reason) => {
        await call(decideCharge, { id: parcel.id, no: charge.no, decision, reason });
        return t(`expresses.charge.done.${decision}`, { number: numberOf(parcel) });
      }}
      refreshes={[
        readCharge,
        getExpress,
        listExpresses,
        countExceptions,
        priceExpress,
        expressStatements,
        workplace,
      ]}
      refreshOnFailure
      onClose={onClose}
    />
  );
};

/**
 * Shows the reason why a carrier's charge beyond the limits is not posted. An administrator can
 * decide about the charge here.
 */
export const ChargeReview = ({ parcel }: { parcel: Express }) => {
  const { t, language } = useTexts();
  const decides = usePermitted(office);
  const [decision, setDecision] = useState<ChargeDecision | null>(null);
  const reported = useReported();
  const { data } = useCall(
    readCharge,
    decides && parcel.state_code >= stateCode.awaitingPickup ? { id: parcel.id } : null,
    { quiet: true },
  );
  if (!decides)
    return parcel.exception === 'charge' ? (
      <Notice tone="warn">{t('expresses.charge.waits')}</Notice>
    ) : null;
  const charge = data?.charge;
  if (!charge) return null;
  const isOpen = charge.status === 'open';
  const choices: readonly ChargeDecision[] = [
    ...(charge.acceptable === 1 ? ['accept' as const] : []),
    ...(isOpen ? ['dispute' as const] : []),
    'ask',
  ];
  return (
    <>
      <Notice tone={isOpen ? 'danger' : 'info'}>
        {t(isOpen ? 'expresses.charge.open' : 'expresses.charge.disputed')}
        <ul className={styles['doubts']}>
          {charge.doubts.map((doubt) => (
            <li key={`${doubt.code} ${JSON.stringify(doubt.params)}`}>
              {errorText(doubt.code, doubt.params, language)}
            </li>
          ))}
        </ul>
        {reported(charge) !== '' && (
          <p className={styles['reported']}>
            {t('expresses.charge.reported', { figures: reported(charge) })}
          </p>
        )}
        <div className={styles['choices']}>
          {choices.map((choice) => (
            <Button key={choice} size="small" onClick={() => setDecision(choice)}>
              {t(`expresses.charge.do.${choice}`)}
            </Button>
          ))}
        </div>
      </Notice>
      {decision && (
        <Decide
          parcel={parcel}
          charge={charge}
          decision={decision}
          onClose={() => setDecision(null)}
        />
      )}
    </>
  );
};
