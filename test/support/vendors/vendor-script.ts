import { onTestFinished } from 'vitest'
import type { ModelChoice } from '../../../src/engine.ts'
import type { NewId } from '../../../src/id.ts'
import type { Transport } from '../../../src/machine/transport.ts'
import { omitUndefined } from '../../../src/omit-undefined.ts'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import { createHandClock } from '../clocks/hand-clock.ts'
import type { FakeServer } from '../models/fake-server.ts'
import type { Vendor } from './vendors.ts'

/** A vendor in one conversation: its replies, and the thinking that requests must send back. */
export class VendorScript {
  readonly server: FakeServer<unknown>
  readonly choice: ModelChoice
  /** Names of thinking and proofs that each request must contain so far. */
  readonly owed: (readonly string[])[] = []
  /** Numbers of the requests with a complete answer. */
  readonly whole: number[] = []
  readonly #vendor: Vendor
  #proofs: readonly string[] = []
  #calls = 0

  constructor(vendor: Vendor, server: FakeServer<unknown>, choice: ModelChoice) {
    this.server = server
    this.choice = choice
    this.#vendor = vendor
  }

  /** Queues a complete reply. */
  says(...blocks: readonly ScriptBlock[]): void {
    this.whole.push(this.owed.length)
    const events = this.#script(blocks)
    this.#owe(blocks)
    this.server.reply({ sse: events.join('') })
  }

  /** Queues a reply that hangs after the first event that contains `after`, in the last block. */
  hangs(after: string, ...blocks: readonly ScriptBlock[]): void {
    const events = this.#script(blocks)
    this.#owe(this.#vendor.wantsCut ? blocks.slice(0, -1) : [])
    const end = events.findIndex((event) => event.includes(after)) + 1
    this.server.reply({ sse: events.slice(0, end).join(''), ending: 'hang' })
  }

  /** Encodes the next reply. Its thinking and proofs have unique names: `sig-mistral-3-0`. */
  #script(blocks: readonly ScriptBlock[]): readonly string[] {
    const named = blocks.map((block, i): ScriptBlock => {
      if (block.type === 'thinking') return { type: 'thinking', thinking: this.#name('thought', i) }
      const id = block.type === 'tool_call' ? this.#vendor.callId?.(this.#calls++) : undefined
      return { ...block, ...omitUndefined({ id }) }
    })
    return this.#vendor
      .events(named)
      .map((event) =>
        event.replaceAll(/"(sig|enc|rs|msg|fc)_(\d+)"/g, (_, kind, i) => `"${this.#name(kind, i)}"`),
      )
  }

  #owe(blocks: readonly ScriptBlock[]): void {
    const proofs = blocks.flatMap(({ type }, i) =>
      Object.entries(this.#vendor.wantsBack)
        .filter(([, of]) => of === type)
        .map(([kind]) => this.#name(kind, i)),
    )
    this.owed.push(this.#proofs)
    this.#proofs = [...this.#proofs, ...proofs]
  }

  #name(kind: string, block: number | string): string {
    return `${kind}-${this.choice.provider.name}-${this.owed.length}-${block}`
  }
}

/** Starts the vendor's server for one test, with a provider for it. */
export async function meet(
  vendor: Vendor,
  use: { readonly transport: Transport; readonly newId: NewId },
): Promise<VendorScript> {
  const { name, model, quirks, info } = vendor
  const server = await vendor.start()
  onTestFinished(() => server.close())
  const access = {
    name,
    baseUrl: server.baseUrl,
    clock: createHandClock(),
    ...use,
    ...omitUndefined({ quirks }),
  }
  return new VendorScript(vendor, server, {
    provider: vendor.connect(access),
    model,
    thinking: 'low',
    ...omitUndefined({ info }),
  })
}

/** Returns the names of thinking and proofs in a request. */
export function namesIn(body: unknown): readonly string[] {
  return JSON.stringify(body).match(/\b(thought|sig|enc|rs|msg|fc)-\w+-\d+-\d+/g) ?? []
}
