/** A proxy to a local server that delays, cuts or silences connections. */
import { createConnection, createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';

export interface ToxicProxy {
  readonly port: number;
  /** Delay of every packet, in milliseconds. */
  delay: number;
  /** Number of next connections to cut when the server first responds. */
  cutsToCome: number;
  /** Closes all connections; accepts new ones. */
  cut(): void;
  /** Existing connections stay open but pass nothing. */
  silence(): void;
}

export async function toxicProxy(target: number): Promise<ToxicProxy> {
  const pairs = new Set<{ readonly sockets: readonly Socket[]; isSilent: boolean }>();
  const server = createServer((near) => {
    const far = createConnection(target, '127.0.0.1');
    const pair = { sockets: [near, far], isSilent: false };
    pairs.add(pair);
    if (proxy.cutsToCome > 0) {
      proxy.cutsToCome--;
      far.once('data', () => near.destroy());
    }
    const pass = (from: Socket, to: Socket) => {
      let last = Promise.resolve();
      from.on('data', (bytes) => {
        const waited = new Promise((resolve) => setTimeout(resolve, proxy.delay));
        last = last.then(async () => {
          await waited;
          if (!pair.isSilent) to.write(bytes);
        });
      });
      from.on('error', () => {});
      from.on('close', () => {
        pairs.delete(pair);
        if (!pair.isSilent) to.destroy();
      });
    };
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: ToxicProxy = {
    port: (server.address() as { port: number }).port,
    delay: 0,
    cutsToCome: 0,
    cut: () => {
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
    },
    silence: () => {
      for (const pair of pairs) pair.isSilent = true;
    },
  };
  afterAll(() => {
    proxy.cut();
    server.close();
  });
  return proxy;
}
