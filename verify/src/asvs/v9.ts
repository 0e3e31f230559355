import { notApplicable } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const noTokens =
  'The product neither makes nor reads self-contained tokens: sessions and keys are random texts that the database knows by their hash.';

export const v9: Chapter = {
  id: 'V9',
  name: 'Self-contained tokens',
  verdicts: {
    '9.1.1': notApplicable('Tokens are signed', noTokens),
    '9.1.2': notApplicable('Only listed algorithms sign tokens', noTokens),
    '9.1.3': notApplicable('Keys of tokens come from known places', noTokens),
    '9.2.1': notApplicable('Tokens count within their time', noTokens),
    '9.2.2': notApplicable('A token is used for its purpose alone', noTokens),
    '9.2.3': notApplicable('A token is meant for this service', noTokens),
    '9.2.4': notApplicable('A token names for whom it is', noTokens),
  },
};
