import type { Language } from '@waystation/contract/base/errors.ts';
import { useEffect, useState } from 'react';
import { ApiError, errorWords, fieldWords, rowAtConflict } from '#base/api-error.ts';
import { useDraft } from '#shell/session/drafts.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useUnsaved } from '#shell/tabs/page.ts';
import { useTexts } from '#base/texts.ts';
import type { RecordWords } from '#resource/record/record-words.ts';
import { changesOf, compared, differing, merged } from './merge.ts';
import type { Difference, Side } from './merge.ts';

interface Versioned {
  id: number;
  version: number;
}

export interface FormSpec<V extends object, R extends Versioned> {
  /** The name of the resource. The draft of the form is stored under it too. */
  name: string;
  /** The row to edit; null for a new row. */
  row: R | null;
  /** Returns the values of the fields for a row. The row is null if a new row is added. */
  valuesOf: (row: R | null) => V;
  words: RecordWords<keyof V & string>;
  /** Fields that a draft does not store, such as passwords and API keys. */
  unkept?: readonly (keyof V & string)[];
  /**
   * Returns the problems of the values by field. It is called when the user first tries to save,
   * and then after each change.
   */
  check: (values: V) => Partial<Record<keyof V & string, string | undefined>>;
  /**
   * Called after the check and before sending, to ask the user whether an unusual value is
   * intended.
   */
  ask?: (before: V, after: V) => Promise<boolean>;
  create: (values: V) => Promise<R>;
  edit: (id: number, version: number, changes: Partial<V>) => Promise<R>;
}

interface Stored<V> {
  base: V;
  values: V;
  version: number;
}

interface State<V extends object> extends Stored<V> {
  /** True if typed values that were not saved have been restored. */
  restored: boolean;
  /** True after the user has tried to save. Missing fields show their errors only after that. */
  tried: boolean;
  refused: Partial<Record<string, string>>;
  failure: string | null;
  conflict: { theirs: V; version: number; differences: Difference<V>[] } | null;
  busy: boolean;
}

export interface FormError {
  /** The name of the wrong field; '' if the error belongs to no field. */
  key: string;
  label: string;
  error: string;
}

/**
 * Fits a draft that an older version of the form may have stored. Parts of another shape are
 * replaced by the form's own values.
 */
const fitting = <V extends object>(shape: V, stored: unknown): V => {
  const record = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<V>;
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [
      key,
      Object.hasOwn(record, key) ? record[key as keyof V] : (value as unknown),
    ]),
  ) as V;
};

const settle = 400;

const opened = <V extends object>(base: V, version: number): State<V> => ({
  base,
  values: base,
  version,
  restored: false,
  tried: false,
  refused: {},
  failure: null,
  conflict: null,
  busy: false,
});

/**
 * The state of the form when it is opened. If there are typed values that were not saved, it
 * contains them.
 */
const reopened = <V extends object>(
  start: State<V>,
  isNew: boolean,
  stored: Partial<Stored<V>> | null,
): State<V> => {
  if (!stored?.values || (!isNew && typeof stored.version !== 'number')) return start;
  const base = isNew ? start.base : fitting(start.base, stored.base);
  const values = fitting(start.base, stored.values);
  return differing(base, values).length === 0
    ? start
    : { ...start, base, values, version: stored.version ?? 0, restored: true };
};

/** The values of the form, which are stored as a draft until they are saved. */
const useFormState = <V extends object, R extends Versioned>({
  name,
  row,
  valuesOf,
  unkept,
}: FormSpec<V, R>) => {
  const draft = useDraft<Stored<V>>(`form.${name}.${row?.id ?? 'new'}`);
  const fresh = (): State<V> => opened(valuesOf(row), row?.version ?? 0);
  const [state, setState] = useState(() => reopened(fresh(), row === null, draft.read()));
  const { base, values, version } = state;
  const dirty = differing(base, values).length > 0;
  useUnsaved(dirty);
  useEffect(() => {
    const stored = (): V => ({
      ...values,
      ...Object.fromEntries((unkept ?? []).map((key) => [key, base[key]])),
    });
    const timer = setTimeout(
      () => (dirty ? draft.write({ base, values: stored(), version }) : draft.drop()),
      settle,
    );
    return () => clearTimeout(timer);
  }, [draft, dirty, base, values, version, unkept]);
  const change = (patch: Partial<State<V>>): void => setState((now) => ({ ...now, ...patch }));
  const set = <K extends keyof V & string>(key: K, value: V[K]): void =>
    setState((now) => ({
      ...now,
      values: { ...now.values, [key]: value },
      refused: { ...now.refused, [key]: undefined },
      failure: null,
    }));
  const discard = (): void => {
    draft.drop();
    setState(fresh());
  };
  return { state, dirty, change, set, discard, drop: draft.drop };
};

/**
 * The problems by field. They come from the server's refusal or from the browser's check after the
 * first attempt to save.
 */
const useErrors = <V extends object, R extends Versioned>(
  { check, words }: FormSpec<V, R>,
  { values, tried, refused, failure }: State<V>,
) => {
  const { t } = useTexts();
  const wrong = (): Partial<Record<string, string | undefined>> => {
    const unread = Object.entries(values).filter(([, value]) => Number.isNaN(value));
    return {
      ...check(values),
      ...Object.fromEntries(unread.map(([key]) => [key, t('lists.unreadable')])),
    };
  };
  const found = tried ? wrong() : {};
  const errorOf = (key: string): string | undefined => refused[key] ?? found[key];
  const errors = (Object.keys(words) as (keyof V & string)[]).flatMap((key): FormError[] => {
    const error = errorOf(key);
    return error === undefined ? [] : [{ key, label: words[key].label, error }];
  });
  return {
    wrong,
    errorOf,
    errors: failure === null ? errors : [...errors, { key: '', label: '', error: failure }],
  };
};

/**
 * The new state of the form after a failed save. It contains the conflict, the problems by field,
 * or the failure.
 */
const afterFailure = <V extends object, R extends Versioned>(
  error: unknown,
  { base, values }: Pick<State<V>, 'base' | 'values'>,
  { valuesOf, words }: FormSpec<V, R>,
  language: Language,
): Partial<State<V>> => {
  const current = rowAtConflict<R>(error);
  if (current) {
    const theirs = valuesOf(current);
    return {
      busy: false,
      conflict: { theirs, version: current.version, differences: compared(base, values, theirs) },
    };
  }
  const refused = Object.entries(fieldWords(error, language)).filter(([key]) =>
    Object.hasOwn(words, key),
  );
  if (refused.length === 0 && !(error instanceof ApiError)) notify.failure(error);
  return {
    busy: false,
    refused: Object.fromEntries(refused),
    failure: refused.length > 0 ? null : errorWords(error, language),
  };
};

/**
 * The values of a form until they are saved, with its draft, its errors and its conflicts with
 * other users. FormDrawer shows them.
 */
export const useRecordForm = <V extends object, R extends Versioned>(spec: FormSpec<V, R>) => {
  const { row, words } = spec;
  const { language } = useTexts();
  const { state, dirty, change, set, discard, drop } = useFormState(spec);
  const { base, values, version, busy, conflict } = state;
  const { wrong, errorOf, errors } = useErrors(spec, state);
  const send = async (sent: Stored<V>): Promise<R | null> => {
    change({ ...sent, busy: true, failure: null, refused: {}, conflict: null });
    try {
      const saved =
        row === null
          ? await spec.create(sent.values)
          : await spec.edit(row.id, sent.version, changesOf(sent.base, sent.values));
      drop();
      change({ base: sent.values, busy: false, restored: false });
      return saved;
    } catch (error) {
      change(afterFailure(error, sent, spec, language));
      return null;
    }
  };
  const save = async (): Promise<R | null> => {
    if (busy) return null;
    if (Object.values(wrong()).some((error) => error !== undefined)) {
      change({ tried: true, refused: {}, failure: null });
      return null;
    }
    if (row !== null && !dirty) return row;
    if (spec.ask && !(await spec.ask(base, values))) return null;
    return send({ base, values, version });
  };
  return {
    isNew: row === null,
    values,
    set,
    /**
     * The props that connect a field component to the form, for example `<TextField
     * {...form.field('name')} required />`.
     */
    field: <K extends keyof V & string>(key: K) => ({
      name: key,
      label: words[key].label,
      value: values[key],
      onChange: (value: V[K]) => set(key, value),
      error: errorOf(key),
    }),
    words: words as RecordWords,
    dirty,
    busy,
    restored: state.restored,
    errors,
    conflict,
    /** Saves the changes. If that fails, it resolves to null and the form shows the reason. */
    save,
    /**
     * Resolves a conflict. The chosen value of each field is saved as a change to the other user's
     * version.
     */
    settle: async (sides: Readonly<Partial<Record<string, Side>>>): Promise<R | null> =>
      conflict &&
      send({
        base: conflict.theirs,
        values: merged(values, conflict.theirs, sides as Partial<Record<keyof V & string, Side>>),
        version: conflict.version,
      }),
    leaveConflict: (): void => change({ conflict: null }),
    /** Discards the typed values. */
    discard,
  };
};

export type RecordForm<V extends object, R extends Versioned> = ReturnType<
  typeof useRecordForm<V, R>
>;
