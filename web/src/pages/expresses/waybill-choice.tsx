import { useState } from 'react';
import {
  chooseWaybill,
  getExpress,
  listExpresses,
} from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { workplace } from '@waystation/contract/shell/workplace.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import styles from './waybill-choice.module.css';

type Claim = NonNullable<Express['waybill_claims']>[number];

const Confirm = ({
  parcel,
  chosen,
  others,
  onClose,
}: {
  parcel: Express;
  chosen: Claim;
  others: readonly Claim[];
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const sending = useSubmit({
    send: async () => {
      await call(chooseWaybill, {
        id: parcel.id,
        version: parcel.version,
        delivery_id: chosen.delivery_id,
      });
      return t('expresses.waybill.done', { number: chosen.delivery_id });
    },
    refreshes: [getExpress, listExpresses, workplace],
    onDone: onClose,
  });
  return (
    <SubmitDialog
      title={t('expresses.waybill.title', { number: chosen.delivery_id })}
      ok={t('expresses.waybill.ok')}
      sending={sending}
      onClose={onClose}
    >
      <p>
        {others.length === 0
          ? t('expresses.waybill.effect_alone')
          : t('expresses.waybill.effect', {
              others: others.map(({ delivery_id }) => delivery_id).join(', '),
            })}
      </p>
    </SubmitDialog>
  );
};

/**
 * The waybill numbers that the carrier has sent for the order, each with its source. An
 * administrator chooses the correct number.
 */
export const WaybillChoice = ({ parcel }: { parcel: Express }) => {
  const { t } = useTexts();
  const [chosen, setChosen] = useState<Claim | null>(null);
  const claims = parcel.waybill_claims ?? [];
  if (claims.length === 0) return null;
  return (
    <>
      <Notice tone={claims.length > 1 ? 'danger' : 'warn'}>
        {t(claims.length > 1 ? 'expresses.waybill.conflict' : 'expresses.waybill.named')}
        <ul className={styles['claims']}>
          {claims.map((claim) => (
            <li key={claim.delivery_id}>
              <span className="tabular">{claim.delivery_id}</span>
              <span className={styles['source']}>
                {t(`expresses.waybill.source.${claim.source}`)}
              </span>
              <Button
                size="small"
                aria-label={t('expresses.waybill.use_number', { number: claim.delivery_id })}
                onClick={() => setChosen(claim)}
              >
                {t('expresses.waybill.use')}
              </Button>
            </li>
          ))}
        </ul>
      </Notice>
      {chosen && (
        <Confirm
          parcel={parcel}
          chosen={chosen}
          others={claims.filter((claim) => claim !== chosen)}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
};
