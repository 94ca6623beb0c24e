import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that Linux and macOS give to whoever lets the system choose, such as connections and servers on port 0. */
const ports = { first: 20_000, end: 32_768 }

/** Finds a local port that nobody listens on. Only another caller of this function could take it before it is used. */
export async function freePort(): Promise<number> {
  const port = randomInt(ports.first, ports.end)
  return (await isFree(port)) ? port : freePort()
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
