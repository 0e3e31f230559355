import { parentPort, workerData } from 'node:worker_threads';
import { openTypefaces } from '#domain/documents/typefaces.ts';
import type { StatementPaper } from './statement-content.ts';
import { drawStatement } from './statement-pdf.ts';

const pdf = await drawStatement(workerData as StatementPaper, openTypefaces());
parentPort!.postMessage(pdf, [pdf.buffer as ArrayBuffer]);
