import { held, notApplicable } from './requirement.ts';
import type { Chapter } from './requirement.ts';

export const v1: Chapter = {
  id: 'V1',
  name: 'Encoding and sanitization',
  verdicts: {
    '1.1.1': held(
      'Input is decoded once, before it is checked',
      {
        'server/src/api.test.ts': [
          'the error %s is answered with the JSON envelope, which repeats the HTTP status and the request id of the header',
        ],
        'server/src/platform/http/server.ts': [],
        'server/src/platform/http/body.ts': [],
      },
      'Fastify decodes path, query and JSON; the schema sees the decoded value alone.',
    ),
    '1.1.2': held('Output is encoded last, or by what interprets it', {
      'server/src/platform/http/answer-text.test.ts': [
        'the JSON text of a response keeps null values and omits missing optional properties',
      ],
      'server/src/domain/workbook/workbook.test.ts': [
        'a CSV file quotes commas, quotes and line breaks',
      ],
      'server/src/platform/http/answer-text.ts': [],
    }),
    '1.2.1': held(
      'Output fits its context: HTML, attributes, headers',
      {
        'server/src/response-headers.test.ts': [
          'a downloaded file is sent as an attachment with a file name, so that the browser does not display it',
        ],
        'server/src/platform/http/web.ts': [],
      },
      'React writes every text; the server puts nothing but a nonce into a page.',
    ),
    '1.2.2': held(
      'Addresses are built from encoded values, with safe protocols alone',
      {
        'web/src/base/call.test.ts': [
          'a GET request puts path parameters into the path and all other values into the query, and omits empty values',
        ],
        'server/src/domain/carriers/wire.test.ts': [
          'an outgoing call returns an error reason for a closed port, an unknown host and a URL that is not http(s)',
        ],
        'contract/src/base/endpoint.ts': [],
        'web/src/base/href.ts': [],
      },
      'No link of the web has an address that a user wrote.',
    ),
    '1.2.3': held('JSON and scripts are never put together from text', {
      'server/src/platform/http/answer-text.ts': [],
      'server/src/platform/http/web.test.ts': [
        'the built web page has a new nonce in each response',
      ],
      'server/src/fuzz.test.ts': [
        'random requests to every endpoint are answered with the JSON envelope and never with a server error',
      ],
    }),
    '1.2.4': held(
      'SQL takes values as parameters',
      {
        'server/src/fuzz.test.ts': [
          'random requests to every endpoint are answered with the JSON envelope and never with a server error',
        ],
        'server/src/platform/db/conditions.ts': [],
        'server/sql/ledger-walk.sql': [],
      },
      'Kysely binds every value; raw text is of constants. The one dynamic statement of SQL formats a constant name by %I.',
    ),
    '1.2.5': held(
      'Programs are started without a shell and without input of users',
      {
        'server/src/platform/embedded/run-as.ts': [],
        'server/src/platform/embedded/binaries.ts': [],
      },
      'Only PostgreSQL of the package and programs of the launcher are started, by lists of words.',
    ),
    '1.2.6': notApplicable('LDAP injection', 'The product speaks no LDAP.'),
    '1.2.7': notApplicable(
      'XPath injection',
      'The product evaluates no XPath; sheets are read by a scanner of its own.',
    ),
    '1.2.8': notApplicable('LaTeX injection', 'The product runs no LaTeX.'),
    '1.2.9': held('Text within a regular expression is escaped', {
      'server/src/features/people/person-texts.ts': [],
      'tools/house/regexes.test.mjs': [
        'no regular expression in the repository takes exponential time',
      ],
    }),
    '1.3.1': notApplicable(
      'HTML of users is sanitized',
      'No field takes HTML, and no text is shown as HTML; Trusted Types forbid it in the page.',
    ),
    '1.3.2': held(
      'No code is made from input',
      {
        'server/src/response-headers.test.ts': [
          'every response has headers against framing, content sniffing, foreign content, referrers and access without TLS: %s',
        ],
        'server/src/platform/http/answer-text.ts': [],
      },
      'Serializers are compiled from the contract alone; the pages allow no eval.',
    ),
    '1.3.3': held('Text is made safe for sheets, labels and printers', {
      'server/src/domain/workbook/workbook.test.ts': [
        'a text that looks like a formula is written into an Excel file as plain text',
        'a CSV file contains the same cells whatever its separator is, and a cell that looks like a formula begins with an apostrophe',
      ],
      'server/src/domain/documents/labels/zpl.test.ts': [
        'a ZPL file contains only printable ASCII characters and line feeds',
      ],
      'server/src/domain/documents/labels/clean-text.test.ts': [
        'a text on a label is cut to at most 600 characters',
      ],
    }),
    '1.3.4': held('SVG of users is refused', {
      'contract/src/people/avatar.test.ts': [
        'an avatar is refused unless it is a PNG, JPEG or WebP picture of the type that it declares: %s',
      ],
    }),
    '1.3.5': notApplicable(
      'Markdown, CSS and templates of users are disabled',
      'No field is read as a markup, style or template language.',
    ),
    '1.3.6': held(
      'Calls to addresses of users reach public hosts over TLS alone',
      {
        'server/src/domain/carriers/outbound.test.ts': [
          'the outbound policy allows an unlisted host only at a public IP address and only over TLS',
          'the outbound policy allows a listed host at any IP address, on its listed port, or on every port if none is listed',
        ],
        'server/src/domain/carriers/wire.test.ts': [
          'an outgoing call is refused before it connects if the policy denies the IP address of its host name',
        ],
        'server/src/domain/webhooks/deliveries.test.ts': [
          'a webhook URL with a private address or without TLS is refused; a webhook whose host becomes private later is not called',
        ],
      },
      'Any public host is allowed, since offices name carriers and users name webhooks: see 13.2.4.',
    ),
    '1.3.7': notApplicable(
      'Templates are not built from input',
      'No template engine runs on the server; texts with placeholders are constants.',
    ),
    '1.3.8': notApplicable('JNDI injection', 'The product has no Java.'),
    '1.3.9': notApplicable('Memcache injection', 'The product has no memcache.'),
    '1.3.10': held(
      'Format strings come from the code alone',
      { 'contract/src/base/fill.ts': [], 'server/src/platform/log.ts': [] },
      'Values fill a constant text once and are not read as a text with placeholders again.',
    ),
    '1.3.11': held('Input adds nothing to a mail but its text', {
      'server/src/platform/mail/mail.test.ts': [
        'a mail subject with line breaks remains one header and adds no recipient',
      ],
      'server/src/platform/mail/mail.ts': [],
    }),
    '1.4.1': notApplicable(
      'Memory-safe strings and pointers',
      'TypeScript and SQL have no pointers; the product has no code of unmanaged memory.',
    ),
    '1.4.2': held('Numbers are bounded before they are calculated with', {
      'server/src/largest-inputs.test.ts': [
        '%s limits the size of every text, list and record in its input schema',
      ],
      'contract/src/base/fields.schema.ts': [],
    }),
    '1.4.3': held('Memory, files and connections are released', {
      'server/src/platform/http/form.test.ts': [
        'the temporary file of an upload is deleted after the response, and also if the client disconnects during the upload',
      ],
      'server/src/platform/http/stalled.test.ts': [
        'a client that sends many requests together and reads no response is disconnected',
      ],
    }),
    '1.5.1': held('Entities that an XML file defines are never expanded', {
      'server/src/domain/workbook/read.test.ts': [
        'a workbook that defines XML entities is read, and references to these entities remain plain text',
      ],
      'server/src/domain/workbook/xml-scanner.ts': [],
    }),
    '1.5.2': held('Untrusted data becomes plain values of a schema', {
      'server/src/api.test.ts': [
        'the error %s is answered with the JSON envelope, which repeats the HTTP status and the request id of the header',
      ],
      'server/src/every-write.test.ts': [
        'a value that was sent in an undeclared column is stored in no table of the database',
      ],
      'server/src/platform/http/validate.ts': [],
    }),
  },
};
