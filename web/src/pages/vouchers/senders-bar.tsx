import { DeleteOutlined, PlusOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { provinceName } from '@waystation/contract/parcels/provinces.ts';
import { useTexts } from '#base/texts.ts';
import { confirmed } from '#ui/overlay/notify.tsx';
import { Button } from '#ui/button.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { ProvincesField } from '#ui/fields/provinces-field.tsx';
import { Icon } from '#ui/icon.tsx';
import styles from './editor.module.css';
import type { SenderGrid } from './template.ts';

interface Props {
  senders: readonly SenderGrid[];
  at: number;
  onAt: (at: number) => void;
  onChange: (senders: readonly SenderGrid[], at: number) => void;
}

const shown = 3;

/**
 * Chooses the group of sender provinces whose price list is shown. A template has a separate price
 * list for each group.
 */
export const SendersBar = ({ senders, at, onAt, onChange }: Props) => {
  const { t, language } = useTexts();
  const [asking, setAsking] = useState<{ index: number; provinces: readonly string[] } | null>(
    null,
  );
  const nameOf = ({ provinces }: SenderGrid): string => {
    if (provinces.length === 0)
      return t(senders.length === 1 ? 'vouchers.every_sender' : 'vouchers.other_senders');
    const names = provinces.slice(0, shown).map((code) => provinceName(code, language));
    return (
      names.join(t('vouchers.and')) +
      (provinces.length > shown ? t('vouchers.and_more', { count: provinces.length }) : '')
    );
  };
  const keep = (): void => {
    if (!asking) return;
    const { index, provinces } = asking;
    const isNew = index === senders.length;
    // A new price list starts as a copy of the displayed list.
    const next = isNew
      ? [...senders, { provinces, grid: senders[at]!.grid }]
      : senders.with(index, { ...senders[index]!, provinces });
    onChange(next, index);
    setAsking(null);
  };
  const remove = async (): Promise<void> => {
    const agreed = await confirmed({
      title: t('vouchers.remove_senders', { name: nameOf(senders[at]!) }),
      content: t('vouchers.remove_senders_hint'),
      ok: t('vouchers.remove'),
      danger: true,
    });
    if (agreed) onChange(senders.toSpliced(at, 1), 0);
  };
  return (
    <div className={styles['senders']}>
      <span className={styles['quiet']}>{t('vouchers.senders')}</span>
      <div role="group" aria-label={t('vouchers.senders')} className={styles['choices']}>
        {senders.map((sender, index) => (
          <button
            key={sender.provinces.join() || 'others'}
            type="button"
            aria-pressed={index === at}
            onClick={() => onAt(index)}
          >
            {nameOf(sender)}
          </button>
        ))}
      </div>
      <Button
        size="small"
        type="text"
        onClick={() => setAsking({ index: at, provinces: senders[at]!.provinces })}
      >
        {t('vouchers.change_senders')}
      </Button>
      <Button
        size="small"
        type="text"
        icon={<Icon of={PlusOutlined} />}
        onClick={() => setAsking({ index: senders.length, provinces: [] })}
      >
        {t('vouchers.add_senders')}
      </Button>
      {senders.length > 1 && (
        <Button
          size="small"
          type="text"
          icon={<Icon of={DeleteOutlined} />}
          onClick={() => void remove()}
        >
          {t('vouchers.remove')}
        </Button>
      )}
      {asking && (
        <FormDialog
          open
          title={t('vouchers.senders')}
          ok={t('common.save')}
          busy={false}
          onSubmit={keep}
          onClose={() => setAsking(null)}
        >
          <ProvincesField
            label={t('vouchers.sender_provinces')}
            hint={t('vouchers.senders_hint')}
            value={asking.provinces}
            onChange={(provinces) => setAsking({ ...asking, provinces })}
          />
        </FormDialog>
      )}
    </div>
  );
};
