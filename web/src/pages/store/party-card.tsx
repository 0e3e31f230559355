import { useTexts } from '#app/texts.ts';
import { AddressCascader } from '#ui/address-cascader.tsx';
import { TextField } from '#ui/text-field.tsx';
import type { Doubts, Party } from './form.ts';
import styles from './store.module.css';

interface Props {
  side: 'sender' | 'receiver';
  party: Party;
  doubts?: Doubts;
  errors: Record<string, string>;
  onChange: (party: Party, touched: keyof Doubts) => void;
}

/** Name, phone, place and address of one end. */
export const PartyFields = ({ side, party, doubts = {}, errors, onChange }: Props) => {
  const { t } = useTexts();
  const error = (part: string) => errors[`${side}.${part}`];
  return (
    <div className={styles['party']}>
      <div className={styles['pair']}>
        <TextField
          label={t('store.name')}
          name={`${side}.name`}
          value={party.name}
          onChange={(name) => onChange({ ...party, name }, 'name')}
          required
          doubtful={doubts.name}
          error={error('name')}
        />
        <TextField
          label={t('store.phone')}
          name={`${side}.phone`}
          value={party.phone}
          onChange={(phone) => onChange({ ...party, phone }, 'phone')}
          required
          numeric
          doubtful={doubts.phone}
          error={error('phone')}
          placeholder={t('store.phone_hint')}
        />
      </div>
      <AddressCascader
        label={t('store.place')}
        name={`${side}.place`}
        value={party.place}
        onChange={(place) => onChange({ ...party, place }, 'place')}
        required
        doubtful={doubts.place}
        error={error('place')}
      />
      <TextField
        label={t('store.address')}
        name={`${side}.address`}
        value={party.address}
        onChange={(address) => onChange({ ...party, address }, 'address')}
        required
        doubtful={doubts.address}
        error={error('address')}
        max={200}
      />
    </div>
  );
};
