import { openTypefaces } from '#domain/documents/typefaces.ts';
import { workerTask } from '#platform/workers/worker-task.ts';
import type { StatementContent } from './statement-content.ts';
import { drawStatement } from './statement-pdf.ts';

const faces = openTypefaces();

export const run = workerTask<StatementContent, Uint8Array>(
  (content) => drawStatement(content, faces),
  (pdf) => [pdf.buffer as ArrayBuffer],
);
