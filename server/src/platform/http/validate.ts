import type * as z from 'zod/mini';
import { isErrorCode } from '@waystation/contract/base/errors.ts';
import type { Params, Reason } from '@waystation/contract/base/envelope.ts';
import { failFields } from '#platform/fail.ts';

type Issue = z.core.$ZodIssue;

const limits = (issue: Issue): Params => {
  const { minimum, maximum } = issue as { minimum?: unknown; maximum?: unknown };
  return {
    ...(typeof minimum === 'number' && { minimum }),
    ...(typeof maximum === 'number' && { maximum }),
  };
};

/**
 * Returns the reason of an issue. The product's schemas use error codes as their messages. Any
 * other message is the library's own, and means that the type is wrong.
 */
const reasonOf = (issue: Issue): Reason => {
  if (isErrorCode(issue.message)) return { code: issue.message, params: limits(issue) };
  if (
    ['invalid_type', 'invalid_union', 'invalid_value'].includes(issue.code ?? '') &&
    'input' in issue &&
    issue.input === undefined
  )
    return { code: 'required' };
  if (issue.code === 'unrecognized_keys') return { code: 'unknown_field' };
  return { code: 'invalid' };
};

/** True if an issue shows that the input was meant as another branch of the union. */
const isAnotherForm = (issues: readonly Issue[]): boolean =>
  issues.some(({ code, path }) => code === 'invalid_value' && path.length > 0);

/**
 * Returns the issues with complete paths. For a union it returns the issues of the branch that the
 * input is most likely meant for. A plain error would be "none of the branches matches".
 */
const flat = (issues: readonly Issue[]): Issue[] =>
  issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.input === undefined) return [issue];
    const meant = issue.errors.find((form) => !isAnotherForm(form)) ?? issue.errors[0] ?? [];
    return meant.length === 0
      ? [issue]
      : flat(meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
  });

/**
 * Returns the reason for each invalid field, by the field's path. The first issue of a field
 * counts, and each unknown field is listed.
 */
export const fieldReasons = (issues: readonly Issue[]): Record<string, Reason> => {
  const fields: Record<string, Reason> = {};
  for (const issue of flat(issues)) {
    const keys =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [...issue.path, key])
        : [issue.path];
    for (const key of keys) fields[key.map(String).join('.') || 'body'] ??= reasonOf(issue);
  }
  return fields;
};

/**
 * Returns the parsed input. Throws a 422 with every invalid field if the input does not match the
 * schema.
 */
export const parseInput = <S extends z.ZodMiniType>(schema: S, input: unknown): z.output<S> => {
  const result = schema.safeParse(input, { reportInput: true });
  return result.success ? result.data : failFields(fieldReasons(result.error.issues));
};
