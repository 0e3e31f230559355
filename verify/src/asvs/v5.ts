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
        'an uploaded file that exceeds the limit returns 413 in the caller’s language, after the whole request was received',
      ],
      'server/src/domain/workbook/read.test.ts': [
        'a file that exhausts memory or CPU time ends only the thread that reads it, not the process',
      ],
    }),
    '5.2.2': notHeld(
      'Name and content of a file fit each other',
      'low',
      'Of sheets the content alone decides, whatever the name ends with (requirements 10.17.8): an .xlsx that is text is read as CSV, and what is no sheet is refused. A profile picture must begin as its type does.',
    ),
    '5.2.3': held('What is packed is bounded before it is unpacked', {
      'server/src/domain/workbook/read.test.ts': [
        'a malicious workbook or CSV file is refused with an error for the limit that it exceeds',
      ],
      'server/src/domain/workbook/limits.ts': [],
    }),
    '5.3.1': notApplicable(
      'Uploads are never run',
      'No upload is in a folder: its bytes are rows, and only the built web is served from files.',
    ),
    '5.3.2': held('No path is made of what a user sends', {
      'server/src/platform/http/form.test.ts': [
        'the file name %j in a form is received as %j',
        'the temporary file of an upload is deleted after the response, and also if the client disconnects during the upload',
      ],
      'server/src/platform/http/web.test.ts': [
        'the built web does not serve the raw index.html, missing files, hidden files or files outside its folder',
      ],
      'server/src/platform/http/form.ts': [],
    }),
    '5.4.1': held('A download has a name of the server', {
      'server/src/response-headers.test.ts': [
        'a downloaded file is sent as an attachment with a file name, so that the browser does not display it',
      ],
    }),
    '5.4.2': held('Names of downloads are encoded', {
      'server/src/response-headers.test.ts': [
        'a downloaded file is sent as an attachment with a file name, so that the browser does not display it',
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
