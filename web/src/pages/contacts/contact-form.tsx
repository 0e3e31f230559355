import { createContact, editContact } from '@waystation/contract/people/contact.ts';
import type { Contact, ContactKind } from '@waystation/contract/people/contact.ts';
import { readPhone } from '@waystation/contract/parcels/phone.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { FormDrawer } from '#resource/form/form-drawer.tsx';
import { useRecordForm } from '#resource/form/use-record-form.ts';
import { StationPicker, useSeveralStations } from '#resource/stations/station-picker.tsx';
import { AddressCascader } from '#ui/fields/address-cascader.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { useContactWords, useKindOptions } from './words.ts';
import { addressLength, nameLength } from '@waystation/contract/base/limits.ts';

interface Values {
  station_id: number | null;
  kind: ContactKind | null;
  name: string;
  phone: string;
  province: string;
  city: string;
  county: string;
  address: string;
}

const valuesOf = (row: Contact | null): Values => ({
  station_id: row?.station_id ?? null,
  kind: row?.kind ?? 'receive',
  name: row?.name ?? '',
  phone: row?.phone ?? '',
  province: row?.province ?? '',
  city: row?.city ?? '',
  county: row?.county ?? '',
  address: row?.address ?? '',
});

interface Props {
  /** Null to create a new contact. */
  row: Contact | null;
  onSaved: (row: Contact, again: boolean) => void;
  onClose: () => void;
}

export const ContactForm = ({ row, onSaved, onClose }: Props) => {
  const { t } = useTexts();
  const words = useContactWords();
  const kinds = useKindOptions();
  const several = useSeveralStations();
  const text = (value: string, min: number, max: number): string | undefined => {
    const length = [...value.trim()].length;
    return length === 0
      ? t('common.required')
      : length < min
        ? t('contacts.too_short')
        : length > max
          ? t('common.too_long', { max })
          : undefined;
  };
  const phoneProblem = (phone: string): string | undefined => {
    if (phone.trim() === '') return t('common.required');
    // an unchanged masked number is not sent
    if (row && row.phones_shown === 0 && phone === row.phone) return undefined;
    const read = readPhone(phone);
    return read.ok
      ? undefined
      : t(read.code === 'phone_masked' ? 'contacts.phone_masked' : 'contacts.phone_invalid');
  };
  const form = useRecordForm<Values, Contact>({
    name: 'contacts',
    row,
    valuesOf,
    words,
    check: ({ station_id, name, phone, province, city, address }) => ({
      station_id: several && station_id === null ? t('common.required') : undefined,
      name: text(name, 1, 50),
      phone: phoneProblem(phone),
      province: province === '' || city === '' ? t('contacts.place_missing') : undefined,
      address: text(address, 2, 200),
    }),
    create: ({ station_id, kind, ...values }) =>
      call(createContact, { ...values, kind: kind!, ...(station_id !== null && { station_id }) }),
    edit: (id, version, { name, phone, province, city, county, address }) =>
      call(editContact, {
        id,
        version,
        ...(name !== undefined && { name }),
        ...(phone !== undefined && { phone }),
        ...(province !== undefined && { province }),
        ...(city !== undefined && { city }),
        ...(county !== undefined && { county }),
        ...(address !== undefined && { address }),
      }),
  });
  const { province, city, county } = form.values;
  const placeError =
    form.field('province').error ?? form.field('city').error ?? form.field('county').error;
  const station = form.field('station_id');
  return (
    <FormDrawer
      form={form}
      title={row ? t('lists.edit_title', { name: row.name }) : t('contacts.new')}
      onSaved={onSaved}
      onClose={onClose}
    >
      {several && (
        <StationPicker
          label={station.label}
          value={station.value}
          shown={row?.station_name}
          onChange={(station_id) => station.onChange(station_id)}
          disabled={!form.isNew}
          required
          error={station.error}
        />
      )}
      <SelectField {...form.field('kind')} required options={kinds} disabled={!form.isNew} />
      <TextField {...form.field('name')} required max={nameLength} />
      <TextField
        {...form.field('phone')}
        required
        numeric
        placeholder={t('store.phone_hint')}
        {...(row?.phones_shown === 0 && { hint: t('contacts.phone_hidden') })}
      />
      <AddressCascader
        label={t('contacts.place')}
        name="province"
        value={{ province, city, county }}
        onChange={(place) => {
          form.set('province', place.province);
          form.set('city', place.city);
          form.set('county', place.county);
        }}
        required
        error={placeError}
      />
      <TextField {...form.field('address')} required max={addressLength} lines={2} />
    </FormDrawer>
  );
};
