import { isDeepStrictEqual } from 'node:util';
import type { CheckedEndpoint } from '@waystation/contract/base/endpoint.ts';
import type { AnswerText } from './answer-text.ts';

/**
 * Writes a response in tests and development. Its text must match the contract completely and be
 * equal to the JSON of the validated response.
 */
export const checkAnswer = (
  { method, path, output }: CheckedEndpoint,
  answer: unknown,
  write: AnswerText,
): string => {
  const text = write(answer);
  const validated: unknown = JSON.parse(JSON.stringify(output.parse(answer)) ?? 'null');
  if (!isDeepStrictEqual(JSON.parse(text), validated))
    throw new Error(`the text of an answer of ${method} ${path} differs from its validated JSON`);
  return text;
};
