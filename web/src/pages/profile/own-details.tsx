import { useRef, useState } from 'react';
import { locationLength, phoneLength, shortNameLength } from '@waystation/contract/base/limits.ts';
import { editPersonal } from '@waystation/contract/people/profile.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useSession, useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { Facts } from '#ui/facts.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import primitives from '#ui/primitives.module.css';
import { lengthProblem } from '#resource/form/reason-field.tsx';
import { pictureOf } from './picture.ts';
import styles from './profile.module.css';

const limits = { nickname: shortNameLength, phone: phoneLength, location: locationLength } as const;
type Field = keyof typeof limits;
const fields = Object.keys(limits) as Field[];

const Picture = ({
  value,
  letter,
  onChange,
}: {
  value: string;
  letter: string;
  onChange: (value: string) => void;
}) => {
  const { t } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const picture = await pictureOf(file);
    if (picture === null) notify.warning(t('people.picture_failed'));
    else onChange(picture);
    input.current!.value = '';
  };
  return (
    <div className={styles['picture']} data-field="avatar">
      {value === '' ? (
        <span className={styles['face']} aria-hidden>
          {letter}
        </span>
      ) : (
        <img className={styles['face']} src={value} alt={t('people.avatar')} />
      )}
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        hidden
        aria-label={t('people.choose_picture')}
        onChange={(event) => void take(event.target.files?.[0])}
      />
      <Button size="small" onClick={() => input.current?.click()}>
        {t('people.choose_picture')}
      </Button>
      {value !== '' && (
        <Button size="small" type="text" onClick={() => onChange('')}>
          {t('people.remove_picture')}
        </Button>
      )}
    </div>
  );
};

/**
 * The fields of the current user that can be edited, with their state while they are typed and
 * saved.
 */
const useOwnFields = (onDirty: (dirty: boolean) => void) => {
  const { t } = useTexts();
  const user = useUser();
  const stored = {
    nickname: user.nickname,
    phone: user.phone,
    location: user.location,
    avatar: user.avatar,
  };
  const [values, setValues] = useState(stored);
  const changes = Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => value.trim() !== stored[key as keyof typeof stored],
    ),
  );
  const dirty = Object.keys(changes).length > 0;
  const { errors, failure, busy, submit, clearErrors } = useSubmit({
    send: async () => {
      const saved = await call(editPersonal, changes);
      useSession.setState({ user: saved });
      setValues({
        nickname: saved.nickname,
        phone: saved.phone,
        location: saved.location,
        avatar: saved.avatar,
      });
      onDirty(false);
      return t('people.saved');
    },
    fields: Object.keys(stored),
  });
  const change = (field: keyof typeof stored, value: string): void => {
    const next = { ...values, [field]: value };
    setValues(next);
    clearErrors(field);
    onDirty(
      Object.entries(next).some(
        ([key, text]) => text.trim() !== stored[key as keyof typeof stored],
      ),
    );
  };
  const reset = (): void => {
    setValues(stored);
    clearErrors();
    onDirty(false);
  };
  const save = (): void => {
    if (dirty)
      void submit(
        Object.fromEntries(
          fields.map((field) => [field, lengthProblem(values[field], limits[field], t)]),
        ),
      );
  };
  return { values, dirty, errors, failure, busy, change, reset, save };
};

/** All fields of the current user; some of them can be edited. */
export const OwnDetails = ({ onDirty }: { onDirty: (dirty: boolean) => void }) => {
  const { t } = useTexts();
  const format = useFormat();
  const user = useUser();
  const { values, dirty, errors, failure, busy, change, reset, save } = useOwnFields(onDirty);
  return (
    <section className={`${styles['card']} ${styles['whole']}`} aria-labelledby="profile-own">
      <h2 id="profile-own">{t('people.own')}</h2>
      <p className={styles['intro']}>{t('people.own_intro')}</p>
      <div className={styles['own']}>
        <Picture
          value={values.avatar}
          letter={[...(user.nickname || user.username)][0]!.toUpperCase()}
          onChange={(value) => change('avatar', value)}
        />
        <form
          className={styles['fields']}
          noValidate
          aria-label={t('people.own')}
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          {fields.map((field) => (
            <TextField
              key={field}
              name={field}
              label={t(`people.${field}`)}
              value={values[field]}
              max={limits[field]}
              error={errors[field]}
              onChange={(value) => change(field, value)}
            />
          ))}
          {(failure ?? errors['avatar']) && (
            <Notice tone="danger">{failure ?? errors['avatar']}</Notice>
          )}
          <div className={primitives['inline']}>
            <Button type="primary" htmlType="submit" loading={busy} disabled={!dirty}>
              {t('common.save')}
            </Button>
            {dirty && <Button onClick={reset}>{t('common.cancel')}</Button>}
          </div>
        </form>
        <Facts
          facts={[
            { key: 'username', label: t('people.username'), value: user.username },
            { key: 'role', label: t('people.role'), value: t(`shell.role.${user.role}`) },
            {
              key: 'station',
              fields: ['station_id', 'station_name'],
              label: t('common.station'),
              value: user.station_name && `${user.station_name} (${user.station_id})`,
            },
            { key: 'id', label: 'ID', value: user.id },
            { key: 'identity', label: t('people.identity'), value: user.identity },
            {
              key: 'may_export',
              label: t('people.may_export'),
              value: t(user.may_export === 1 ? 'people.yes' : 'people.no'),
            },
            { key: 'program_id', label: t('people.program_id'), value: user.program_id },
            {
              key: 'registered_at',
              label: t('people.registered_at'),
              value: format.moment(user.registered_at),
            },
          ]}
        />
      </div>
    </section>
  );
};
