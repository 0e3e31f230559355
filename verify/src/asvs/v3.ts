import { held, notApplicable } from './requirement.ts';
import type { Chapter } from './requirement.ts';

const everyResponse =
  'every response has headers against framing, content sniffing, foreign content, referrers and access without TLS: %s';

export const v3: Chapter = {
  id: 'V3',
  name: 'Web frontend security',
  verdicts: {
    '3.2.1': held('A response is not shown in a context that it is not for', {
      'server/src/response-headers.test.ts': [
        everyResponse,
        'a downloaded file is sent as an attachment with a file name, so that the browser does not display it',
      ],
      'server/src/platform/http/safe-headers.ts': [],
    }),
    '3.2.2': held(
      'Text is shown as text',
      {
        'server/src/platform/http/web.ts': [],
        'server/src/response-headers.test.ts': [everyResponse],
      },
      'React writes texts; no file of the web uses innerHTML, and the page requires Trusted Types.',
    ),
    '3.3.1': held(
      'Cookies are secure and have their prefix',
      {
        'server/src/features/people/login-browsers.test.ts': [
          'a known browser’s id is in an HttpOnly SameSite=Strict cookie, with Secure and __Host- over TLS, and only its hash is stored',
          'a browser behind TLS is recognized only by the cookie with the __Host- prefix',
        ],
      },
      'Without TLS, in the demo on loopback, the only cookie has neither.',
    ),
    '3.3.2': held('Cookies say whether other sites may send them', {
      'server/src/features/people/login-browsers.test.ts': [
        'a known browser’s id is in an HttpOnly SameSite=Strict cookie, with Secure and __Host- over TLS, and only its hash is stored',
      ],
    }),
    '3.3.3': held('Cookies belong to their host alone', {
      'server/src/features/people/login-browsers.test.ts': [
        'a browser behind TLS is recognized only by the cookie with the __Host- prefix',
      ],
    }),
    '3.3.4': held(
      'No script reads a cookie that is not for it',
      {
        'server/src/features/people/login-browsers.test.ts': [
          'a known browser’s id is in an HttpOnly SameSite=Strict cookie, with Secure and __Host- over TLS, and only its hash is stored',
        ],
        'web/src/base/token.ts': [],
      },
      'The session is no cookie: its token is in the browser’s storage and in a header (requirements §9), which a script of the page can read. The content security policy runs no other script.',
    ),
    '3.4.1': held('Browsers come by TLS alone for a year, to hosts below too', {
      'server/src/response-headers.test.ts': [everyResponse],
      'server/src/hardening.test.ts': [
        'in production, only responses over TLS have the Strict-Transport-Security header',
      ],
    }),
    '3.4.2': held('Other origins are a fixed list', {
      'server/src/api.test.ts': [
        'a browser may call the API from another origin only if that origin is configured',
      ],
      'server/src/platform/http/cors.ts': [],
    }),
    '3.4.3': held('A content security policy with nonces, no objects and no base', {
      'server/src/response-headers.test.ts': [everyResponse],
      'server/src/platform/http/web.test.ts': [
        'the built web page has a new nonce in each response',
      ],
    }),
    '3.4.4': held(
      'Browsers never guess a type',
      { 'server/src/response-headers.test.ts': [everyResponse] },
      'Bytes that are not HTTP get Node’s own answer, which has none of these headers.',
    ),
    '3.4.5': held('No address is passed on as a referrer', {
      'server/src/response-headers.test.ts': [everyResponse],
    }),
    '3.4.6': held('No response can be framed', {
      'server/src/response-headers.test.ts': [everyResponse],
    }),
    '3.5.1': held(
      'Requests of other sites do nothing',
      {
        'server/src/matrix.test.ts': ['%s requires a login, unless it is public'],
        'web/src/base/call.test.ts': ['a request sends the stored token as a bearer token'],
        'server/src/platform/auth/callers.ts': [],
      },
      'The token is in a header that no other site can send; no cookie logs in.',
    ),
    '3.5.2': held('No call works without what makes a browser ask first', {
      'server/src/api.test.ts': [
        'a browser may call the API from another origin only if that origin is configured',
        'the error %s is answered with the JSON envelope, which repeats the HTTP status and the request id of the header',
      ],
      'server/src/platform/http/body.ts': [],
    }),
    '3.5.3': held(
      'Reading methods change nothing',
      {
        'server/src/hardening.test.ts': [
          'a call with a secret in its query is refused, and a POST request reads no field from its query',
        ],
        'server/src/every-answer.test.ts': [
          'a GET request adds only audit log entries to the database, unless it is the ledger proof or the sheet of failed import rows',
        ],
        'contract/src/base/endpoint.ts': [],
      },
      'A change is POST or PATCH and takes nothing from the query. Three kinds of GET record something: protected data an audit entry, the ledger proof its findings, and the sheet of failed rows its columns.',
    ),
    '3.5.4': notApplicable(
      'Separate applications have separate hosts',
      'One host serves one application: its web and its API. In production the page of the API is off.',
    ),
    '3.5.5': notApplicable(
      'Messages between windows are checked by origin',
      'No window listens to messages of another origin; windows share a BroadcastChannel, which is of one origin.',
    ),
    '3.7.1': held('Only living techniques of browsers are used', {
      'server/src/response-headers.test.ts': [everyResponse],
      'server/src/platform/http/web.ts': [],
    }),
    '3.7.2': held('The page leads to no other host by itself', {
      'web/src/base/guard.test.ts': [
        'a /redirect/ address with an invalid target, such as another host, stays on this site and opens no screen',
      ],
    }),
  },
};
