import { notApplicable } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const noClient = 'The product is no client of OAuth and asks nobody for tokens.';
const noResources = 'The product takes no access tokens of OAuth.';
const noServer = 'The product is no authorization server of OAuth.';
const noOidc = 'The product neither offers nor uses OpenID Connect.';

export const v10: Chapter = {
  id: 'V10',
  name: 'OAuth and OIDC',
  verdicts: {
    '10.1.1': notApplicable('Tokens go only where they are needed', noClient),
    '10.1.2': notApplicable('Answers belong to a flow that was begun here', noClient),
    '10.2.1': notApplicable('The code flow is safe from other sites', noClient),
    '10.2.2': notApplicable('Authorization servers are not mixed up', noClient),
    '10.3.1': notApplicable('Access tokens are meant for this service', noResources),
    '10.3.2': notApplicable('Claims of a token are part of the decision', noResources),
    '10.3.3': notApplicable('A user is known by claims that are never given again', noResources),
    '10.3.4': notApplicable('The strength of a login is checked by its claims', noResources),
    '10.4.1': notApplicable('Redirects go to registered addresses', noServer),
    '10.4.2': notApplicable('A code counts once', noServer),
    '10.4.3': notApplicable('A code lives ten minutes at most', noServer),
    '10.4.4': notApplicable('A client has the grants that it needs', noServer),
    '10.4.5': notApplicable('Refresh tokens cannot be replayed', noServer),
    '10.4.6': notApplicable('The code flow takes PKCE', noServer),
    '10.4.7': notApplicable('Registration of unknown clients is limited', noServer),
    '10.4.8': notApplicable('Refresh tokens end', noServer),
    '10.4.9': notApplicable('Users revoke tokens', noServer),
    '10.4.10': notApplicable('Confidential clients authenticate', noServer),
    '10.4.11': notApplicable('A client has the scopes that it needs', noServer),
    '10.5.1': notApplicable('ID tokens cannot be replayed', noOidc),
    '10.5.2': notApplicable('A user is known by the subject of an ID token', noOidc),
    '10.5.3': notApplicable('Metadata of another issuer is refused', noOidc),
    '10.5.4': notApplicable('An ID token is meant for this client', noOidc),
    '10.5.5': notApplicable('Logout tokens are checked', noOidc),
    '10.6.1': notApplicable('Only safe response modes are offered', noOidc),
    '10.6.2': notApplicable('Nobody is logged out by force', noOidc),
    '10.7.1': notApplicable('Users consent to each request', noServer),
    '10.7.2': notApplicable('Users see what they consent to', noServer),
    '10.7.3': notApplicable('Users see and revoke their consents', noServer),
  },
};
