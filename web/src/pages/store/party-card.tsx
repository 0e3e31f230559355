import { BookOutlined } from '@ant-design/icons-svg';
import { keyCaps } from '#base/keys.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { SuggestField } from '#ui/fields/suggest-field.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import primitives from '#ui/primitives.module.css';
import { errorText } from '#base/error-text.ts';
import { isNews } from './contacts.ts';
import type { Doubts, Party } from '#parcels/orders/form.ts';
import { labelWords, partyProblems, replacedParty } from '#parcels/orders/carrier-text.ts';
import { PlaceField } from './place-field.tsx';
import styles from './store.module.css';
import { useBook } from './use-contacts.ts';
import type { PlaceProblem } from './use-places.ts';
import { addressLength } from '@waystation/contract/base/limits.ts';

interface Props {
  side: 'sender' | 'receiver';
  party: Party;
  doubts?: Doubts;
  errors: Record<string, string>;
  /**
   * The station's address book, which suggests persons. `closed` is true if no station is chosen,
   * so that nothing is suggested.
   */
  book: { station_id: number | null; closed: boolean };
  onChange: (changes: Partial<Party>, touched: keyof Doubts) => void;
  /**
   * Called if all fields of the person were taken from a contact of the address book, or were
   * stored as a contact.
   */
  onParty: (next: (now: Party) => Party) => void;
  /** Called if several counties have the same name and the user chose one of them. */
  onPlace?: () => void;
  /** Why province, city and county contradict each other; null if they do not. */
  placeProblem: PlaceProblem | null;
}

/** The fields name, phone, place and address of the sender or of the receiver. */
export const PartyFields = ({
  side,
  party,
  doubts = {},
  errors,
  book,
  onChange,
  onParty,
  onPlace,
  placeProblem,
}: Props) => {
  const { t, language } = useTexts();
  const { suggestions, look, pick, save, busy } = useBook({
    kind: side === 'sender' ? 'sender' : 'receive',
    party,
    ...book,
    onParty,
  });
  // Passes only the changed fields to the handler, because passing the whole party would render
  // every field again at each key press.
  const touch = (part: keyof Doubts, changes: Partial<Party>): void =>
    onChange({ ...changes, contact_id: null }, part);
  const problems = partyProblems(party);
  const replaced = replacedParty(party);
  const left = {
    name: labelWords(party.name, language),
    address: labelWords(party.address, language),
  };
  const error = (part: 'name' | 'phone' | 'place' | 'address'): string | undefined => {
    const problem = part === 'place' ? undefined : problems[part];
    // An incomplete phone number is not reported, because the user may still be typing it.
    if (problem !== undefined && problem.code !== 'carrier_phone')
      return errorText(problem.code, problem.params, language);
    return errors[`${side}.${part}`];
  };
  /** Offers to replace characters that the carrier refuses; the user decides. */
  const replace = (part: 'name' | 'address') =>
    replaced[part] === party[part] ? undefined : (
      <Button
        size="small"
        type="link"
        title={`${replaced[part]} (${keyCaps('alt+r')[0]?.join(' ') ?? ''})`}
        onClick={() => touch(part, { [part]: replaced[part] })}
      >
        {t('store.replace')}
      </Button>
    );
  // The heading of the receiver has space for the button of the address book. In the heading of the
  // sender, the balance uses this space.
  const bookPlace = side === 'receiver' ? styles['besideHeading'] : undefined;
  return (
    <div className={primitives['stack']}>
      <div className={styles['pair']}>
        <SuggestField
          label={t('store.name')}
          name={`${side}.name`}
          value={party.name}
          suggestions={suggestions}
          onPick={pick}
          onChange={(name) => {
            look(name);
            touch('name', { name });
          }}
          required
          doubtful={doubts.name ?? left.name !== undefined}
          error={error('name')}
          hint={left.name}
          after={replace('name')}
        />
        <SuggestField
          label={t('store.phone')}
          name={`${side}.phone`}
          value={party.phone}
          suggestions={suggestions}
          onPick={pick}
          onChange={(phone) => {
            look(phone);
            touch('phone', { phone });
          }}
          required
          numeric
          doubtful={doubts.phone}
          error={error('phone')}
          placeholder={t('store.phone_hint')}
        />
      </div>
      <PlaceField
        label={t('store.place')}
        name={`${side}.place`}
        value={party.place}
        problem={placeProblem}
        doubtful={doubts.place}
        error={error('place')}
        onChange={(place, picked) => {
          touch('place', { place });
          if (picked) onPlace?.();
        }}
      />
      <TextField
        label={t('store.address')}
        name={`${side}.address`}
        value={party.address}
        onChange={(address) => touch('address', { address })}
        required
        doubtful={doubts.address ?? left.address !== undefined}
        error={error('address')}
        hint={left.address}
        max={addressLength}
        after={replace('address')}
      />
      {party.contact_id !== null ? (
        <p className={`${styles['calm']} ${bookPlace ?? ''}`}>
          <Icon of={BookOutlined} /> {t('store.book_from')}
        </p>
      ) : (
        isNews(party) &&
        !book.closed && (
          <div className={bookPlace}>
            <Button
              size="small"
              type="link"
              className={styles['keep']}
              icon={<Icon of={BookOutlined} />}
              loading={busy}
              onClick={save}
            >
              {t('store.book_save')}
            </Button>
          </div>
        )
      )}
    </div>
  );
};
