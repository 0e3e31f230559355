import { useEffect, useRef, useState } from 'react';
import { nameLength, phoneLength } from '@waystation/contract/base/limits.ts';
import { readPhone } from '@waystation/contract/parcels/phone.ts';
import { exportPerson, findPerson } from '@waystation/contract/people/personal-data.ts';
import { notIncluded } from '@waystation/contract/people/personal-words.ts';
import type { FoundPerson } from '@waystation/contract/people/personal-data.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { saveFile } from '#base/save-file.ts';
import { useTexts } from '#base/texts.ts';
import { jobFile } from '#money/job-file.ts';
import { ReasonField, lengthProblem, reasonProblem } from '#resource/form/reason-field.tsx';
import { useUser } from '#shell/session/session.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/fields/checkbox.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { EraseDialog } from './personal/erase-dialog.tsx';
import { Erasures } from './personal/erasures.tsx';
import styles from './personal/personal.module.css';
import { usePersonalWords } from './personal/words.ts';

interface Wanted {
  phone: string;
  reason: string;
}

interface Found extends Wanted {
  names: readonly FoundPerson[];
  more: number;
  /** The times at which the data of this phone and name were erased before. */
  erased: readonly string[];
}

/**
 * The form that searches a person by phone. A reason must be given. The found rows are shown until
 * the next search.
 */
const SearchForm = ({ onFound }: { onFound: (found: Found | null) => void }) => {
  const { t } = useTexts();
  const say = usePersonalWords();
  const [phone, setPhone] = useState('');
  const [name, setName] = useState('');
  const [reason, setReason] = useState('');
  const sending = useSubmit({
    send: async () => {
      onFound(null);
      const wanted = { phone, reason: reason.trim() };
      const only = name.trim();
      onFound({
        ...wanted,
        ...(await call(findPerson, { ...wanted, ...(only && { name: only }) })),
      });
      return null;
    },
    fields: ['phone', 'name', 'reason'],
  });
  const problems = () => {
    const read = readPhone(phone);
    return {
      phone: read.ok
        ? undefined
        : t(read.code === 'phone_masked' ? 'contacts.phone_masked' : 'contacts.phone_invalid'),
      name: lengthProblem(name, nameLength, t),
      reason: reasonProblem(reason, t),
    };
  };
  return (
    <form
      className={`${primitives['card']} ${styles['form']}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void sending.submit(problems());
      }}
    >
      <TextField
        label={say('phone')}
        name="phone"
        required
        numeric
        max={phoneLength}
        value={phone}
        error={sending.errors['phone']}
        onChange={setPhone}
      />
      <TextField
        label={say('name')}
        hint={say('name_hint')}
        name="name"
        max={nameLength}
        value={name}
        error={sending.errors['name']}
        onChange={setName}
      />
      <ReasonField
        label={say('reason')}
        hint={say('reason_hint')}
        lines={1}
        value={reason}
        error={sending.errors['reason']}
        onChange={setReason}
      />
      {sending.failure !== null && <Notice tone="danger">{sending.failure}</Notice>}
      <div>
        <Button type="primary" htmlType="submit" loading={sending.busy}>
          {say('find')}
        </Button>
      </div>
    </form>
  );
};

const Name = ({
  person,
  chosen,
  onChange,
}: {
  person: FoundPerson;
  chosen: boolean;
  onChange: (chosen: boolean) => void;
}) => {
  const say = usePersonalWords();
  const format = useFormat();
  const facts = (['received', 'sent', 'contacts', 'stations', 'accounts', 'open'] as const).filter(
    (fact) => person[fact] > 0,
  );
  return (
    <li>
      <Checkbox checked={chosen} onChange={onChange}>
        <span lang="zh-CN">{person.name}</span>
      </Checkbox>
      <p className={styles['facts']}>
        {facts.map((fact) => (
          <span key={fact} data-fact={fact}>
            {say(fact, { count: person[fact] })}
          </span>
        ))}
        <span>{say('newest', { at: format.time(person.newest_at) })}</span>
      </p>
    </li>
  );
};

/** The times at which the data of this phone and name were erased before. */
const ErasedBefore = ({ at }: { at: readonly string[] }) => {
  const say = usePersonalWords();
  const format = useFormat();
  return at.map((time) => (
    <p key={time} className={styles['hint']}>
      {say('erased_before', { at: format.time(time) })}
    </p>
  ));
};

/** The names found for the phone; the user can select some to export or to erase. */
const Names = ({ found }: { found: Found }) => {
  const { language } = useTexts();
  const say = usePersonalWords();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isErasing, setErasing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    heading.current?.focus();
    return () => {
      isLeft.current = true;
    };
  }, []);
  const sending = useSubmit({
    send: async () => {
      const { job_id } = await call(exportPerson, {
        phone: found.phone,
        reason: found.reason,
        names: [...chosen],
        language,
      });
      const file = await jobFile(job_id, () => isLeft.current);
      if (file === null) return isLeft.current ? null : say('later');
      saveFile(file.blob, file.name);
      return say('exported', { name: file.name });
    },
  });
  if (found.names.length === 0)
    return (
      <section className={primitives['card']}>
        <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
          {say('none')}
        </h2>
        <ErasedBefore at={found.erased} />
      </section>
    );
  return (
    <section className={`${primitives['card']} ${styles['found']}`}>
      <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
        {say('found')}
      </h2>
      <p className={styles['hint']}>{say('found_hint')}</p>
      <ErasedBefore at={found.erased} />
      <ul className={styles['names']}>
        {found.names.map((person) => (
          <Name
            key={person.name}
            person={person}
            chosen={chosen.includes(person.name)}
            onChange={(on) =>
              setChosen((now) =>
                on ? [...now, person.name] : now.filter((name) => name !== person.name),
              )
            }
          />
        ))}
      </ul>
      {found.more > 0 && <p className={styles['hint']}>{say('more', { count: found.more })}</p>}
      {sending.failure !== null && <Notice tone="danger">{sending.failure}</Notice>}
      {sending.errors['names'] !== undefined && (
        <Notice tone="danger">{sending.errors['names']}</Notice>
      )}
      <div className={primitives['row']}>
        <Button
          type="primary"
          loading={sending.busy}
          onClick={() =>
            void sending.submit({ names: chosen.length === 0 ? say('choose') : undefined })
          }
        >
          {chosen.length === 0 ? say('export') : say('export_of', { count: chosen.length })}
        </Button>
        <Button danger disabled={chosen.length === 0} onClick={() => setErasing(true)}>
          {say('erase')}
        </Button>
        {sending.busy && (
          <span role="status" className={styles['hint']}>
            {say('making')}
          </span>
        )}
      </div>
      <h3 className={styles['heading']}>{say('not_included')}</h3>
      <ul className={styles['left']}>
        {notIncluded.map((key) => (
          <li key={key}>{say(key)}</li>
        ))}
      </ul>
      {isErasing && (
        <EraseDialog
          person={{ phone: found.phone, reason: found.reason, names: chosen }}
          onClose={() => setErasing(false)}
        />
      )}
    </section>
  );
};

/**
 * Finds the people who use a phone number, so that their data can be exported or erased. Only super
 * admins can use it.
 */
const Search = () => {
  const say = usePersonalWords();
  const [found, setFound] = useState<{ no: number; found: Found } | null>(null);
  return (
    <>
      <p className={styles['hint']}>{say('intro')}</p>
      <SearchForm
        onFound={(next) => setFound((last) => next && { no: (last?.no ?? 0) + 1, found: next })}
      />
      {found && <Names key={found.no} found={found.found} />}
    </>
  );
};

/** The page with all data stored about a person. Another administrator must approve an erasure. */
export const Page = () => {
  const { t } = useTexts();
  const { role } = useUser();
  return (
    <section className={styles['page']}>
      <h1>{t('menu.personal')}</h1>
      {role === 'super' && <Search />}
      <Erasures />
    </section>
  );
};
