import { describe, expect, it } from 'vitest';
import { memorySettings } from './cluster.ts';

const gibibyte = 1024 ** 3;

describe('the memory of the embedded PostgreSQL', () => {
  it('the memory settings of the embedded PostgreSQL depend on the machine’s memory, between a minimum and a maximum', () => {
    expect(memorySettings(gibibyte)).toEqual({
      shared_buffers: '64MB',
      maintenance_work_mem: '64MB',
      effective_cache_size: '512MB',
      max_wal_size: '512MB',
    });
    expect(memorySettings(16 * gibibyte)).toEqual({
      shared_buffers: '1024MB',
      maintenance_work_mem: '256MB',
      effective_cache_size: '8192MB',
      max_wal_size: '1024MB',
    });
    expect(memorySettings(1024 * gibibyte)).toEqual({
      shared_buffers: '4096MB',
      maintenance_work_mem: '512MB',
      effective_cache_size: '65536MB',
      max_wal_size: '4096MB',
    });
  });
});
