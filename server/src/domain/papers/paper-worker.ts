import { parentPort, workerData } from 'node:worker_threads';
import { openTypefaces } from '#domain/labels/labels.ts';
import type { StatementPaper } from './statement-paper.ts';
import { drawStatement } from './statement-sheet.ts';

const pdf = await drawStatement(workerData as StatementPaper, openTypefaces());
parentPort!.postMessage(pdf, [pdf.buffer as ArrayBuffer]);
