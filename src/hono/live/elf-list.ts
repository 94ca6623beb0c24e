import type { ElfEnd, ElfStart } from '../../elf.ts'

/** An elf of an open conversation. */
export interface KnownElf
  extends Pick<ElfStart, 'name' | 'elfId' | 'agent' | 'model' | 'prompt' | 'sessionId'> {
  readonly state: 'working' | 'done'
}

/** Elves that are kept after their end. */
const mostDone = 200

/** The elves that a conversation has started since it was opened, by their names: those at work, and the last that have ended. */
export class StartedElves {
  readonly #elves = new Map<string, KnownElf>()

  get all(): readonly KnownElf[] {
    return [...this.#elves.values()]
  }

  get isAnyWorking(): boolean {
    return this.all.some(({ state }) => state === 'working')
  }

  find(name: string): KnownElf | undefined {
    return this.#elves.get(name)
  }

  see(event: ElfStart | ElfEnd): void {
    if (event.type === 'elf_start') {
      const { name } = event
      this.#elves.delete(name)
      this.#elves.set(name, { ...event, state: 'working' })
      return
    }
    const elf = this.#elves.get(event.name)
    if (elf !== undefined) this.#elves.set(event.name, { ...elf, state: 'done' })
    this.#forget()
  }

  #forget(): void {
    const done = this.all.filter(({ state }) => state === 'done')
    for (const { name } of done.slice(0, Math.max(0, done.length - mostDone))) this.#elves.delete(name)
  }
}
