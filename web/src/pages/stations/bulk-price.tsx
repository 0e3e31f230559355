import { useState } from 'react';
import { bulkStations } from '@waystation/contract/shell/bulk.ts';
import { useTexts } from '#base/texts.ts';
import { useDiscountQuestion } from '#money/discount-question.ts';
import { BulkPreview } from '#resource/list/bulk-preview.tsx';
import type { ChangeWords } from '#resource/list/bulk-preview.tsx';
import type { AnyList } from '#resource/list/use-list.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { Checkbox } from '#ui/fields/checkbox.tsx';
import { DiscountField } from '#ui/fields/number-fields.tsx';
import { useOfficeChoices } from './use-office-choices.ts';
import { useStationWords } from './words.ts';

type Field = 'project_id' | 'discount' | 'northeast_discount';

/**
 * Sets a freight scheme or discounts for the selected stations. If a field is empty, each station
 * keeps its present value.
 */
export const BulkPrice = ({
  list,
  office,
  onClose,
}: {
  list: AnyList;
  office: boolean;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const words = useStationWords();
  const { projects } = useOfficeChoices();
  const isMeant = useDiscountQuestion({
    discount: words.discount.label,
    northeast_discount: words.northeast_discount.label,
  });
  const [project, setProject] = useState<number | null>(null);
  const [discount, setDiscount] = useState<number | null>(null);
  const [northeast, setNortheast] = useState<number | null>(null);
  const [cleared, setCleared] = useState<ReadonlySet<'discount' | 'northeast_discount'>>(new Set());
  const entered = Object.entries({
    project_id: project,
    discount,
    northeast_discount: northeast,
  }).filter(([field, value]) => value !== null || cleared.has(field as 'discount'));
  const clear = (field: 'discount' | 'northeast_discount') => (
    <Checkbox
      checked={cleared.has(field)}
      onChange={(checked) => {
        const next = new Set(cleared);
        if (checked) next.add(field);
        else next.delete(field);
        setCleared(next);
        if (checked) (field === 'discount' ? setDiscount : setNortheast)(null);
      }}
    >
      {t(field === 'discount' ? 'stations.bulk_clear' : 'stations.bulk_clear_northeast')}
    </Checkbox>
  );
  const wrong = entered.some(([, value]) => Number.isNaN(value));
  const typed = JSON.stringify(Object.fromEntries(entered));
  // A preview checks all rows, so it is requested only after a pause in typing.
  const settled = useSettled(typed, 400);
  const values =
    entered.length === 0 || wrong || settled !== typed
      ? null
      : (JSON.parse(settled) as Record<string, number | null>);
  const said = (field: Field, value: string | number | null): string =>
    field === 'project_id' ? String(value ?? t('stations.no_project')) : words[field].show(value);
  const changeOf: ChangeWords = ({ field, before, after }) => {
    const name = field as Field;
    return t('stations.bulk_change', {
      field: words[name].label,
      before: said(name, before),
      after: said(name, after),
    });
  };
  return (
    <BulkPreview
      list={list}
      endpoint={bulkStations}
      doing={{ action: 'price', label: t('stations.bulk_price') }}
      values={values}
      changeOf={changeOf}
      ask={() => isMeant({}, { discount, northeast_discount: northeast })}
      onClose={onClose}
    >
      {office && (
        <SelectField
          label={words.project_id.label}
          value={project}
          options={projects}
          none={t('stations.bulk_keep')}
          onChange={setProject}
        />
      )}
      <DiscountField
        label={words.discount.label}
        value={discount}
        onChange={setDiscount}
        disabled={cleared.has('discount')}
        hint={t('stations.bulk_keep')}
      />
      {clear('discount')}
      <DiscountField
        label={words.northeast_discount.label}
        value={northeast}
        onChange={setNortheast}
        disabled={cleared.has('northeast_discount')}
        hint={t('stations.bulk_keep')}
      />
      {clear('northeast_discount')}
    </BulkPreview>
  );
};
