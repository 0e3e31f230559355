import { isDeepStrictEqual } from 'node:util';
import type { CheckedEndpoint } from '@waystation/contract/endpoint.ts';
import { WrittenAnswer } from './answer-text.ts';
import type { AnswerText } from './answer-text.ts';

/** For tests and development: the text of the answer, which must fit the contract entirely, and say the same as the JSON of the validated answer. */
export const checkAnswer = ({ method, path, output }: CheckedEndpoint, answer: unknown, write: AnswerText): string => {
  const isWritten = answer instanceof WrittenAnswer;
  const text = isWritten ? answer.text : write(answer);
  const validated: unknown = JSON.parse(JSON.stringify(output.parse(isWritten ? JSON.parse(text) : answer)) ?? 'null');
  if (!isDeepStrictEqual(JSON.parse(text), validated)) throw new Error(`the text of an answer of ${method} ${path} differs from its validated JSON`);
  return text;
};
