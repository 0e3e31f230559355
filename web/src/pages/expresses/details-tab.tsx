import type { Express } from '@waystation/contract/parcels/express.ts';
import { useTexts } from '#base/texts.ts';
import { Facts } from '#ui/facts.tsx';
import { FieldValue } from './field-value.tsx';
import { fieldGroups, parcelFields } from './fields.ts';
import styles from './parcel-drawer.module.css';

const wide = new Set([
  'sender_address',
  'receive_address',
  'remark',
  'description',
  'weight_message',
  'state_remark',
  'pre_sort_result',
  'print_data',
]);

/** All fields of a parcel that the user may see, in groups; ids are shown with names. */
export const DetailsTab = ({ parcel }: { parcel: Express }) => {
  const { t } = useTexts();
  return fieldGroups.map((group) => (
    <section key={group} className={styles['section']}>
      <h2>{t(`parcel.group.${group}`)}</h2>
      <Facts
        facts={parcelFields
          .filter((field) => field.group === group && field.key in parcel)
          .map((field) => ({
            key: field.key,
            label: t(`parcel.field.${field.key}`),
            value: <FieldValue parcel={parcel} field={field} />,
            wide: wide.has(field.key),
          }))}
      />
    </section>
  ));
};
