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
 * A hand-over list as PDF (A4), drawn in a thread of its own.
 * Throws the Failure `handover_print_interrupted` if the thread died; a retry is safe.
 */
export const renderHandover = (content: HandoverContent): Promise<Uint8Array> => pool.run(content);
