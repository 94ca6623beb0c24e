import { oneLine } from '../../characters/one-line.ts'
import type { Clock } from '../../clock.ts'
import { PipeError } from '../../error.ts'
import type { BackgroundCommand, BackgroundCommands } from '../../frontend/background-commands.ts'
import { formatElapsed } from '../../frontend/words/duration.ts'
import type { PickerItem } from '../picker/picker-item.ts'
import type { Choosing, Picking } from '../picker/picking.ts'

export interface ProcessListOptions {
  readonly clock: Clock
  readonly picking: Picking
  readonly commands: BackgroundCommands | undefined
  readonly note: (text: string) => void
  /** Ends with the screen. */
  readonly signal: AbortSignal
}

/** Time in ms between two looks at the commands while their list is open. */
const refreshMs = 1_000
/** Lines of output that are shown. */
const shownLines = 40

/** Lists the commands in the background, shows what they wrote, and stops them. */
export class ProcessList {
  readonly #options: ProcessListOptions

  constructor(options: ProcessListOptions) {
    this.#options = options
  }

  /** Opens the list. Throws `input` if there are none. */
  async open(): Promise<void> {
    const { picking, commands, note } = this.#options
    if (commands === undefined) return
    const items = this.#items(commands)
    if (items.length === 0) throw new PipeError('input', 'no command is running in the background')
    const choosing: Choosing = {
      title: 'Commands in the background',
      verbs: { x: 'stops it' },
      enter: 'shows its output',
      items,
      none: '',
      onChosen: (id) => note(outputNote(id, commands)),
      onVerb: async (_, id) => {
        await commands.stop(id)
        picking.replace(choosing, this.#items(commands))
      },
    }
    const opened = picking.open(choosing)
    await Promise.all([opened, this.#refresh(choosing, commands)])
  }

  async #refresh(choosing: Choosing, commands: BackgroundCommands): Promise<void> {
    const { clock, picking, signal } = this.#options
    while (picking.isOpen(choosing)) {
      try {
        await clock.sleep(refreshMs, signal)
      } catch (error) {
        if (!signal.aborted) throw error
        return
      }
      picking.replace(choosing, this.#items(commands))
    }
  }

  #items(commands: BackgroundCommands): readonly PickerItem[] {
    const now = this.#options.clock.now()
    // People look for those that run.
    const all = commands.list()
    const running = all.filter(({ ending }) => ending === undefined)
    return [...running, ...all.filter((one) => !running.includes(one))].map((one) => item(one, now))
  }
}

function item({ id, command, startedAt, ending, lastLine = '' }: BackgroundCommand, now: number): PickerItem {
  return {
    id,
    label: `${id}  ${oneLine(command, 200)}`,
    facts: [ending ?? formatElapsed(Math.max(0, now - startedAt)), oneLine(lastLine, 40)],
    isOff: ending !== undefined,
    preview: [command, lastLine].filter(Boolean).join('\n'),
  }
}

function outputNote(id: string, commands: BackgroundCommands): string {
  const one = commands.list().find((each) => each.id === id)
  const lines = commands.output(id).trimEnd().split('\n')
  const more = lines.length > shownLines ? [`… ${lines.length - shownLines} lines before`] : []
  const head = `${id} ${oneLine(one?.command ?? '', 200)}: ${one?.ending ?? 'runs'}`
  const shown = lines.slice(-shownLines)
  return [head, ...more, ...(shown.join('') === '' ? ['no output yet'] : shown)].join('\n')
}
