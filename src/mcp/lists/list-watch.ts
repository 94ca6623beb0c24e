import type { Client, SubscriptionFilter } from '@modelcontextprotocol/client'
import type { ServerList } from '../connection.ts'

const wanted = {
  tools: 'toolsListChanged',
  resources: 'resourcesListChanged',
  prompts: 'promptsListChanged',
} as const

/** Asks a server of 2026-07-28 to tell when its lists change. Older ones tell unasked. */
export class ListWatch {
  readonly #client: Client
  readonly #onChanged: (list: ServerList) => void
  #isOpen = false

  constructor(client: Client, onChanged: (list: ServerList) => void) {
    this.#client = client
    this.#onChanged = onChanged
  }

  /** Asks, unless it has. When the server ends it, its lists may have changed, and the next call asks again. */
  open(): void {
    const lists = this.#lists()
    if (this.#isOpen || lists.length === 0 || this.#client.getProtocolEra() !== 'modern') return
    this.#isOpen = true
    const filter: SubscriptionFilter = Object.fromEntries(lists.map((list) => [wanted[list], true]))
    const listening = this.#client.listen(filter)
    listening
      .then(({ closed }) => closed)
      .then(
        (cause) => {
          this.#isOpen = false
          if (cause !== 'local') for (const list of lists) this.#onChanged(list)
        },
        // It refuses, so its lists hold for the time that they name.
        () => undefined,
      )
  }

  #lists(): readonly ServerList[] {
    const { tools, resources, prompts } = this.#client.getServerCapabilities() ?? {}
    const offered = { tools, resources, prompts }
    return (['tools', 'resources', 'prompts'] as const).filter((list) => offered[list]?.listChanged === true)
  }
}
