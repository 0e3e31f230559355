import { useState } from 'react';
import type { Endpoint } from '@waystation/contract/endpoint.ts';
import { errorWords, fieldWords } from '#base/api-error.ts';
import { newIdempotencyKey } from '#base/call.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { notify } from '#ui/overlay/notify.tsx';

/** What is wrong with each field; undefined: nothing. */
type Problems = Readonly<Record<string, string | undefined>>;

interface Spec {
  /** Calls the server with a key that stays the same while the form is open, so that a second press does nothing twice. Returns the notice of success, if any. */
  send: (idempotencyKey: string) => Promise<string | null>;
  /** What is read again afterwards. */
  refreshes?: readonly Endpoint[];
  /** Fields that show their own error: a refusal that names one of them has no notice beside it. */
  fields?: readonly string[];
  /** It is read again after a failure too, since that can mean that the rows shown are old. */
  refreshOnFailure?: boolean;
  /** After success; before what is shown is read again. */
  onDone?: () => void;
}

export interface Submit {
  errors: Problems;
  /** Why the server refused, where no checked field is to blame. */
  failure: string | null;
  busy: boolean;
  /** Sends the form unless a field has a problem. */
  submit: (problems?: Problems) => Promise<void>;
  /** Once a field is changed. */
  clearErrors: () => void;
}

/** The way of a short form to the server: problems of its fields, busy, failure, idempotency key, notice of success. */
export const useSubmit = ({ send, refreshes = [], fields = [], refreshOnFailure = false, onDone }: Spec): Submit => {
  const { language } = useTexts();
  const [key] = useState(newIdempotencyKey);
  const [errors, setErrors] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (problems: Problems = {}): Promise<void> => {
    setErrors(problems);
    setFailure(null);
    if (Object.values(problems).some((words) => words !== undefined)) return;
    setBusy(true);
    let isDone = false;
    try {
      const notice = await send(key);
      isDone = true;
      if (notice !== null) notify.success(notice);
      onDone?.();
    } catch (error) {
      const words = fieldWords(error, language);
      setErrors(words);
      setFailure(fields.some((field) => words[field] !== undefined) ? null : errorWords(error, language));
    } finally {
      setBusy(false);
      if (isDone || refreshOnFailure) await refresh(...refreshes);
    }
  };
  return { errors, failure, busy, submit, clearErrors: () => setErrors({}) };
};
