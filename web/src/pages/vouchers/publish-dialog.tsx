import { useId, useState } from 'react';
import { compareVoucher, publishVoucher } from '@waystation/contract/money/voucher.ts';
import type { Voucher } from '@waystation/contract/money/voucher.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { DayInput } from '#ui/fields/day-input.tsx';
import { FieldFrame } from '#ui/fields/field.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { useNow } from '#base/now.ts';
import { PublishImpact } from './publish-impact.tsx';
import { voucherViews } from './use-template.ts';
import { versionViews } from './versions-panel.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';

interface Props {
  voucher: Voucher;
  version: number;
  warnings: number;
  onClose: () => void;
}

/** The business day of a time in milliseconds, in Shanghai's time zone. */
const dayOf = (at: number): string => new Date(at + 8 * 3_600_000).toISOString().slice(0, 10);

/** Publishes the saved draft as the next version, in force from today or from a later day. */
export const PublishDialog = ({ voucher, version, warnings, onClose }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const id = useId();
  const today = dayOf(useNow());
  const [day, setDay] = useState(today);
  const { data } = useCall(
    compareVoucher,
    voucher.latest_no === null ? null : { id: voucher.id, from: voucher.latest_no, to: 0 },
    {
      staleTime: 0,
      quiet: true,
    },
  );
  const next = (voucher.latest_no ?? 0) + 1;
  const sending = useSubmit({
    send: async () => {
      await call(publishVoucher, {
        id: voucher.id,
        version,
        ...(day > today && { valid_from: day }),
      });
      return t(day > today ? 'vouchers.published_for' : 'vouchers.published', { no: next, day });
    },
    refreshes: [...voucherViews, ...versionViews],
    onDone: onClose,
  });
  return (
    <SubmitDialog
      title={t('vouchers.publish_title', { no: next })}
      ok={t('vouchers.publish')}
      sending={sending}
      onClose={onClose}
    >
      <FieldFrame
        id={id}
        label={t('vouchers.valid_from')}
        required
        hint={t(day > today ? 'vouchers.from_midnight' : 'vouchers.at_once')}
      >
        <DayInput id={id} min={today} value={day} onChange={(next) => setDay(next || today)} />
      </FieldFrame>
      <p>
        {voucher.latest_no === null
          ? t('vouchers.first_version')
          : data && t('vouchers.against', { no: voucher.latest_no, count: data.cells.length })}{' '}
        {t('vouchers.publish_hint')}
      </p>
      {voucher.latest_no !== null && <PublishImpact id={voucher.id} />}
      {voucher.next_from !== null && voucher.next_no !== null && (
        <Notice tone="warn">
          {t('vouchers.next_waits', {
            no: voucher.next_no,
            time: format.moment(voucher.next_from),
          })}
        </Notice>
      )}
      {warnings > 0 && (
        <Notice tone="warn">{t('vouchers.with_warnings', { count: warnings })}</Notice>
      )}
    </SubmitDialog>
  );
};
