import { createWorkerPool } from '#platform/workers/worker-pool.ts';
import type { HandoverContent } from './handover-content.ts';

const pool = createWorkerPool<HandoverContent, Uint8Array>({
  program: new URL('./handover-worker.ts', import.meta.url),
  interrupted: 'handover_print_interrupted',
  heapMb: 384,
  tasksAtOnce: 1,
  waiting: 1_000,
  idleMs: 1_000,
  timeoutMs: 60_000,
});

/**
 * Draws a hand-over list as PDF (A4) in a separate thread.
 * Throws the Failure `handover_print_interrupted` if the thread died; the caller may try again.
 */
export const renderHandover = (content: HandoverContent): Promise<Uint8Array> => pool.run(content);
