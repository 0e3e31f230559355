import { cargoTypes } from '@waystation/contract/parcels/cargo.ts';
import {
  exceptionWords,
  isExceptionKind,
} from '@waystation/contract/parcels/express-exceptions.ts';
import { expressStates } from '@waystation/contract/parcels/express.ts';
import type { Express, ExpressRow, StateCode } from '@waystation/contract/parcels/express.ts';
import { discountText } from '@waystation/contract/money/discount.ts';
import { preSortText } from '@waystation/contract/parcels/pre-sort.ts';
import { weightText } from '@waystation/contract/money/price-words.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { usePersonName } from '#base/person-name.ts';
import { useTexts } from '#base/texts.ts';
import { TextCell, TimeCell } from '#resource/list/cells.tsx';
import { reasonWords } from '#parcels/parcel-rules.ts';
import { windowTime } from '#parcels/pickup-window.ts';
import { CodeText } from '#ui/values/code-text.tsx';
import { Money } from '#ui/values/money.tsx';
import { Phone } from '#ui/values/waybill.tsx';
import { Weight } from '#ui/values/weight.tsx';
import type { ParcelField, ParcelFieldKey } from './fields.ts';

type Parcel = ExpressRow | Express;

const valueOf = (parcel: Parcel, key: keyof Express): unknown =>
  (parcel as Readonly<Record<string, unknown>>)[key];

/**
 * The label data of the carrier, one value per line, under the names that the carrier gives them.
 */
const LabelData = ({ data }: { data: unknown }) =>
  typeof data === 'object' && data !== null ? (
    <ul>
      {Object.entries(data)
        .filter(([, value]) => value !== '' && value !== null)
        .map(([name, value]) => (
          <li key={name}>
            <code>{name}</code> {String(value)}
          </li>
        ))}
    </ul>
  ) : (
    '—'
  );

/** A name with its id in brackets, or only the id if the name is empty. */
const Named = ({ id, name }: { id: unknown; name: unknown }) => {
  if (id === null || id === undefined || id === '') return '—';
  const text = typeof name === 'string' && name !== '' ? `${name} (${String(id)})` : String(id);
  return <TextCell text={text} />;
};

/** The waybill numbers that the carrier has sent for this order, as one text. */
const claimsText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((claim: { delivery_id: string }) => claim.delivery_id).join(' · ')
    : '';

/** The value of a parcel's field in the user's language; a dash if it is empty. */
export const FieldValue = ({
  parcel,
  field,
}: {
  parcel: Parcel;
  field: ParcelField & { key: ParcelFieldKey };
}) => {
  const { t, language, locale } = useTexts();
  const value = valueOf(parcel, field.key);
  const nameOf = usePersonName();
  const figure = (text: string) => <span className="tabular">{text}</span>;
  if (field.kind === 'weight_message')
    return (
      <TextCell
        text={
          parcel.weight_reason
            ? weightText(parcel.weight_reason, language)
            : (parcel.weight_message ?? '')
        }
      />
    );
  if (field.kind === 'state_remark') return <TextCell text={reasonWords(parcel, language)} />;
  if (value === null || value === undefined || value === '') return '—';
  if (field.kind === 'named')
    return <Named id={value} name={field.name && valueOf(parcel, field.name)} />;
  if (field.kind === 'state') return wordOf(expressStates, parcel.state_code, language);
  if (field.kind === 'confirming') return wordOf(expressStates, value as StateCode, language);
  if (field.kind === 'exception')
    return isExceptionKind(value) ? wordOf(exceptionWords, value, language) : '—';
  if (field.kind === 'claims') return <TextCell text={claimsText(value)} />;
  if (field.kind === 'pre_sort') return <TextCell text={preSortText(value)} />;
  if (field.kind === 'label_data') return <LabelData data={value} />;
  if (typeof value === 'string') {
    if (field.kind === 'time') return <TimeCell at={value} />;
    if (field.kind === 'pickup') return figure(windowTime(value, locale));
    if (field.kind === 'code') return <CodeText code={value} />;
    if (field.kind === 'phone') return <Phone number={value} />;
    return (
      <TextCell
        text={
          field.kind === 'provider'
            ? (providers[value as keyof typeof providers]?.[language] ?? value)
            : nameOf(value)
        }
      />
    );
  }
  const number = Number(value);
  if (field.kind === 'money') return <Money fen={number} />;
  if (field.kind === 'kg') return <Weight grams={number} />;
  if (field.kind === 'cm') return number === 0 ? '—' : figure(`${number} cm`);
  if (field.kind === 'rate') return discountText(number, language);
  if (field.kind === 'flag') return t(number === 1 ? 'parcel.yes' : 'parcel.no');
  if (field.kind === 'trans_type')
    return t(number === 2 ? 'expresses.by_air' : 'expresses.by_road');
  if (field.kind === 'goods_type')
    return cargoTypes[number as keyof typeof cargoTypes]?.[language] ?? String(number);
  return figure(String(number));
};
