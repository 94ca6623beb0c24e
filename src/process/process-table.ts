import type {
  BackgroundProcess,
  CommandExit,
  OutputLog,
  ProcessTable,
  RunningCommand,
} from '../machine/running-command.ts'

const mostRunning = 8
/** Above this number, drops the oldest ended commands. */
const mostKept = 32

/** The background commands of one session. */
export function createProcessTable(): ProcessTable {
  const entries = new Map<string, Entry>()
  let count = 0
  const forget = (): void => {
    for (const { id, exit } of entries.values()) {
      if (entries.size <= mostKept) return
      if (exit !== undefined) entries.delete(id)
    }
  }
  return {
    get isFull() {
      return [...entries.values()].filter(({ exit }) => exit === undefined).length >= mostRunning
    },
    adopt(running, { command, log }) {
      count += 1
      const entry = new Entry(`p${count}`, command, running, log)
      entries.set(entry.id, entry)
      forget()
      return entry
    },
    list: () => [...entries.values()],
    find: (id) => entries.get(id),
    async close() {
      await Promise.all([...entries.values()].map((entry) => entry.end()))
    },
  }
}

class Entry implements BackgroundProcess {
  readonly id: string
  readonly command: string
  readonly pid: number
  readonly startedAt: number
  readonly log: OutputLog
  readonly #running: RunningCommand
  readonly #ended: Promise<void>
  #exit: CommandExit | undefined
  #begun = ''

  constructor(id: string, command: string, running: RunningCommand, log: OutputLog) {
    this.id = id
    this.command = command
    this.pid = running.pid
    this.startedAt = running.startedAt
    this.log = log
    this.#running = running
    this.#ended = this.#follow()
  }

  get exit(): CommandExit | undefined {
    return this.#exit
  }

  get begun(): string {
    return this.#begun
  }

  write(text: string): boolean {
    const isOpen = this.#running.write(text)
    if (isOpen) this.#begun = withoutEnded(this.#begun + text)
    return isOpen
  }

  async end(): Promise<void> {
    if (this.#exit === undefined) await this.#running.end()
    await this.#ended
  }

  /** Copies the output into the log until it ends. */
  async #follow(): Promise<void> {
    const output = this.#running.output(new AbortController().signal)
    try {
      for (;;) {
        const step = await output.next()
        if (step.done === true) {
          await this.log.close()
          this.#exit = step.value
          return
        }
        await this.log.push(step.value)
      }
    } finally {
      this.#running.release()
    }
  }
}

/** The text after the last line end that no backslash may continue. */
function withoutEnded(text: string): string {
  let end = text.lastIndexOf('\n')
  while (end > 0 && text[end - 1] === '\\') end = text.lastIndexOf('\n', end - 1)
  return text.slice(end + 1)
}
