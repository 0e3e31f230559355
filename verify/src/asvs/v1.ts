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
          'error %s comes in the envelope, with its status in body and header',
        ],
        'server/src/platform/http/server.ts': [],
        'server/src/platform/http/body.ts': [],
      },
      'Fastify decodes path, query and JSON; the schema sees the decoded value alone.',
    ),
    '1.1.2': held('Output is encoded last, or by what interprets it', {
      'server/src/platform/http/answer-text.test.ts': [
        'the text keeps null as null and omits missing optional properties',
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
          'a file of a response is an attachment under its name, never a document of the browser',
        ],
        'server/src/platform/http/web.ts': [],
      },
      'React writes every text; the server puts nothing but a nonce into a page.',
    ),
    '1.2.2': held(
      'Addresses are built from encoded values, with safe protocols alone',
      {
        'web/src/base/call.test.ts': [
          'a GET puts named values into the path and the others into the query, without empty ones',
        ],
        'server/src/domain/carriers/wire.test.ts': [
          'an outgoing call returns a reason for a closed port, an unknown name, and a scheme other than http(s)',
        ],
        'contract/src/base/endpoint.ts': [],
        'web/src/base/href.ts': [],
      },
      'No link of the web has an address that a user wrote.',
    ),
    '1.2.3': held('JSON and scripts are never put together from text', {
      'server/src/platform/http/answer-text.ts': [],
      'server/src/platform/http/web.test.ts': [
        'the built web is a page with a new nonce in each response',
      ],
      'server/src/fuzz.test.ts': [
        'every request to any endpoint is answered in the envelope and never with a server error',
      ],
    }),
    '1.2.4': held(
      'SQL takes values as parameters',
      {
        'server/src/fuzz.test.ts': [
          'every request to any endpoint is answered in the envelope and never with a server error',
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
        'no regular expression of the repository takes exponential time',
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
          'every response forbids framing, sniffing and foreign content, and access without TLS: %s',
        ],
        'server/src/platform/http/answer-text.ts': [],
      },
      'Serializers are compiled from the contract alone; the pages allow no eval.',
    ),
    '1.3.3': held('Text is made safe for sheets, labels and printers', {
      'server/src/domain/workbook/workbook.test.ts': [
        'an Excel file has no formula, whatever a text begins with',
        'a CSV file has the same cells in a program with any separator, and no cell that begins as a formula',
      ],
      'server/src/domain/documents/labels/zpl.test.ts': [
        'a ZPL file has no characters but those of a serial line',
      ],
      'server/src/domain/documents/labels/clean-text.test.ts': [
        'a text for a label is limited in length',
      ],
    }),
    '1.3.4': held('SVG of users is refused', {
      'contract/src/people/avatar.test.ts': ['a picture that is not of its type is refused: %s'],
    }),
    '1.3.5': notApplicable(
      'Markdown, CSS and templates of users are disabled',
      'No field is read as a markup, style or template language.',
    ),
    '1.3.6': held(
      'Calls to addresses of users reach public hosts over TLS alone',
      {
        'server/src/domain/carriers/outbound.test.ts': [
          'the outbound policy allows a public name only public addresses',
          'the outbound policy allows a listed host and port with any address, and no other port',
        ],
        'server/src/domain/carriers/wire.test.ts': [
          'an outgoing call checks the resolved address of a name on connecting',
        ],
        'server/src/domain/webhooks/deliveries.test.ts': [
          'private and unencrypted addresses are refused when a webhook is made and when it is called',
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
        'a subject with line ends remains one header and adds no recipient',
      ],
      'server/src/platform/mail/mail.ts': [],
    }),
    '1.4.1': notApplicable(
      'Memory-safe strings and pointers',
      'TypeScript and SQL have no pointers; the product has no code of unmanaged memory.',
    ),
    '1.4.2': held('Numbers are bounded before they are calculated with', {
      'server/src/largest-inputs.test.ts': ['%s bounds every text, list and record in its schema'],
      'contract/src/base/fields.schema.ts': [],
    }),
    '1.4.3': held('Memory, files and connections are released', {
      'server/src/platform/http/form.test.ts': [
        'the temporary file of a form is deleted when the form has been answered, and when the sender disconnects in the middle',
      ],
      'server/src/platform/http/stalled.test.ts': [
        'a caller that sends many requests at once and reads no answer is disconnected',
      ],
    }),
    '1.5.1': held('XML has no entities of its own', {
      'server/src/domain/workbook/read.test.ts': ['a workbook with entity definitions is refused'],
      'server/src/domain/workbook/xml-scanner.ts': [],
    }),
    '1.5.2': held('Untrusted data becomes plain values of a schema', {
      'server/src/api.test.ts': [
        'error %s comes in the envelope, with its status in body and header',
      ],
      'server/src/every-write.test.ts': [
        'a write with undeclared columns stores none of them anywhere in the database',
      ],
      'server/src/platform/http/validate.ts': [],
    }),
  },
};
