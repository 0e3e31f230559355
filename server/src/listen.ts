import type { FastifyInstance } from 'fastify';
import { ConfigError } from './config.ts';
import type { Config } from './config.ts';

/**
 * Listens on the configured address and port. Throws ConfigError if the port is taken, or the
 * address does not belong to this machine.
 */
export const listenTo = async (http: FastifyInstance, config: Config): Promise<void> => {
  try {
    await http.listen({ port: config.port, host: config.host });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new ConfigError(
        `Port ${config.port} is taken by another program; set PORT to a free one.`,
      );
    if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN')
      throw new ConfigError(
        `WAYSTATION_HOST is "${config.host}", which is no address of this machine; 127.0.0.1 or 0.0.0.0 will do.`,
      );
    if (code === 'EACCES')
      throw new ConfigError(
        `Port ${config.port} may not be used by this user; set PORT to one above 1023.`,
      );
    throw error;
  }
};
