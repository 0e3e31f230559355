import { openTypefaces } from '#domain/documents/typefaces.ts';
import { workerTask } from '#platform/workers/worker-task.ts';
import type { HandoverContent } from './handover-content.ts';
import { drawHandover } from './handover-pdf.ts';

const faces = openTypefaces();

export const run = workerTask<HandoverContent, Uint8Array>(
  (content) => drawHandover(content, faces),
  (pdf) => [pdf.buffer as ArrayBuffer],
);
