import { isLocal, type ServerAddress } from '../../../attach/address.ts'
import { RemoteServer } from '../../../attach/remote-server.ts'
import { ServerClient } from '../../../attach/server-client.ts'
import type { Settings } from '../../../config/settings.ts'
import type { Transport } from '../../../machine/transport.ts'
import type { Machine } from '../../machine.ts'
import { openTransport } from '../../wiring/model/open-network.ts'

/** A server says that it is there every 15 s. */
const idleMs = 45_000
/** Time to look for a lost server: one of this machine ends or is back soon, another may be out of reach for longer. */
const patienceMs = { here: 10_000, elsewhere: 120_000 } as const

export interface RemotesOptions {
  readonly machine: Machine
  readonly settings: Settings
  readonly signal: AbortSignal
}

/** Opens connections to servers, and closes them. */
export class Remotes {
  readonly #options: RemotesOptions
  readonly #transports: Transport[] = []

  constructor(options: RemotesOptions) {
    this.#options = options
  }

  /** Opens nothing before the first request. */
  server(address: ServerAddress, token: string): RemoteServer {
    const { machine, settings, signal } = this.#options
    const { socketPath } = address
    const transport = openTransport(machine, settings, {
      idleMs,
      ...(socketPath === undefined ? {} : { socketPath }),
    })
    this.#transports.push(transport)
    return new RemoteServer({
      client: new ServerClient({ address, token, transport }),
      clock: machine.clock,
      patienceMs: isLocal(address) ? patienceMs.here : patienceMs.elsewhere,
      signal,
    })
  }

  close(): void {
    for (const transport of this.#transports) transport.close()
  }
}
