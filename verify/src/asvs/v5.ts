import { held, notApplicable, notHeld } from './requirement.ts';
import type { Chapter } from './requirement.ts';

export const v5: Chapter = {
  id: 'V5',
  name: 'File handling',
  verdicts: {
    '5.1.1': held('What may be uploaded is documented', {
      'SECURITY.md': [],
      'server/src/domain/workbook/limits.ts': [],
    }),
    '5.2.1': held('Files are only as large as can be read', {
      'server/src/platform/http/form.test.ts': [
        'a form whose file exceeds the limit returns 413 in the caller’s language, after the client has sent everything',
      ],
      'server/src/domain/workbook/read.test.ts': [
        'a malicious file exhausts memory or time of its own reader, not of the process',
      ],
    }),
    '5.2.2': notHeld(
      'Name and content of a file fit each other',
      'low',
      'Of sheets the content alone decides, whatever the name ends with (requirements 10.17.8): an .xlsx that is text is read as CSV, and what is no sheet is refused. A profile picture must begin as its type does.',
    ),
    '5.2.3': held('What is packed is bounded before it is unpacked', {
      'server/src/domain/workbook/read.test.ts': [
        'a malicious file is refused by the limit that it exceeds, whatever sizes its archive names',
      ],
      'server/src/domain/workbook/limits.ts': [],
    }),
    '5.3.1': notApplicable(
      'Uploads are never run',
      'No upload is in a folder: its bytes are rows, and only the built web is served from files.',
    ),
    '5.3.2': held('No path is made of what a user sends', {
      'server/src/platform/http/form.test.ts': [
        'the temporary file of a form is deleted when the form has been answered, and when the sender disconnects in the middle',
      ],
      'server/src/platform/http/web.test.ts': [
        'the built web serves no file outside its folder, and no page with an empty nonce',
      ],
      'server/src/platform/http/form.ts': [],
    }),
    '5.4.1': held('A download has a name of the server', {
      'server/src/response-headers.test.ts': [
        'a file of a response is an attachment under its name, never a document of the browser',
      ],
    }),
    '5.4.2': held('Names of downloads are encoded', {
      'server/src/response-headers.test.ts': [
        'a file of a response is an attachment under its name, never a document of the browser',
      ],
      'server/src/platform/http/server.ts': [],
    }),
    '5.4.3': notHeld(
      'Files of strangers are scanned before they are served',
      'low',
      'There is no scanner. The only file that is shown again as it came is a profile picture (PNG, JPEG or WebP of 16,000 characters); every download is written by the product, with cells as texts and numbers.',
    ),
  },
};
