import type { Clock } from '../../clock.ts'
import { CodeLines } from '../code/code-lines.ts'
import { shownCompletion } from '../completion/completion.ts'
import { shortKeyOf } from '../keys/bindings.ts'
import { wholeDraftRows } from '../live/live-rows.ts'
import { sceneTree } from '../live/scene-tree.tsx'
import { asked } from '../question/asked-question.ts'
import { columnsOf, graphemes } from '../rows/columns.ts'
import { type Line, lineText } from '../rows/line.ts'
import { themeOn } from '../rows/theme.ts'
import type { Entry, Screen } from '../state.ts'
import type { Shown } from '../store.ts'
import { drawEntry } from '../transcript/entry.ts'
import type { Painter } from './painter.tsx'
import type { Scene, SceneSource } from './scene.ts'

export interface DisplayOptions {
  readonly painter: Painter
  readonly clock: Clock
  /** Whether the terminal's cursor stands where the user writes. Default: from the first wide character on, as input methods type them. */
  readonly hasCursor?: boolean | undefined
  /** Whether the terminal can be drawn to. If not, pending rows are drawn with the next screen. */
  readonly isReady: () => boolean
  /** Called once, when the first code or diff is to be shown. Loads the highlighter. */
  readonly onCode?: () => void
}

/** Limits of one chunk: finished rows, and characters of them. */
const chunkRows = 200
const chunkCharacters = 16_000
/** Pause between two chunks, in which keys are read. */
const chunkPauseMs = 1
/** Maximum time that code waits for its highlighter, which takes 50 ms to load where nothing else runs. */
const syntaxWaitMs = 5_000

/** Draws the store's screen: finished entries once, in chunks, and the live rows below them. */
export class Display implements SceneSource {
  readonly #options: DisplayOptions
  /** Finished entries; those before `#next` are drawn. */
  #entries: readonly Entry[] = []
  #next = 0
  #previous: Entry | undefined
  #screen: Screen
  #stopTimer: (() => void) | undefined
  #waiters: (() => void)[] = []
  readonly #code = new CodeLines()
  /** Whether the cursor stands where the user writes. */
  #hasCursor: boolean
  #scene: Scene
  readonly #listeners = new Set<() => void>()
  readonly #tree = sceneTree(this)
  /** Monotonic time until which code waits for its highlighter. */
  #syntaxDue: number | undefined

  constructor(screen: Screen, options: DisplayOptions) {
    this.#screen = screen
    this.#options = options
    this.#hasCursor = options.hasCursor ?? false
    this.#scene = { screen, theme: themeOn(screen), finished: [], batch: 0, hasCaret: false }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly scene = (): Scene => this.#scene

  /** Draws the live rows now and queues the finished entries. */
  readonly show = ({ screen, finished }: Shown): void => {
    this.#screen = screen
    if (finished.length > 0) {
      this.#entries = [...this.#entries.slice(this.#next), ...finished]
      this.#next = 0
    }
    this.#loadSyntax()
    // While chunks are pending, a key only redraws the live rows.
    if (this.#stopTimer === undefined) this.#drawChunk()
    else this.#paint([])
  }

  /** Resolves when no finished row is pending. With `isMore` it waits for the next ones too. */
  drained(isMore: boolean): Promise<void> {
    if (!isMore && !this.#isDue) return Promise.resolve()
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  /** Number of leading live rows that hold the whole draft. 0 while finished rows, which belong above it, are pending. */
  get draftRows(): number {
    return this.#isDue ? 0 : wholeDraftRows(this.#screen)
  }

  /** Draws everything still pending. */
  flush(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    while (this.#isDue) this.#paintChunk()
  }

  get #isDue(): boolean {
    return this.#next < this.#entries.length
  }

  #drawChunk(): void {
    const { clock, isReady } = this.#options
    this.#stopTimer = undefined
    if (!isReady()) return
    if (!this.#awaitsSyntax()) this.#paintChunk()
    if (this.#isDue) {
      this.#stopTimer = clock.after(chunkPauseMs, () => this.#drawChunk())
      return
    }
    for (const resolve of this.#waiters.splice(0)) resolve()
  }

  /** Loads the highlighter when the first code is written, shown, or about to be. */
  #loadSyntax(): void {
    const { onCode, clock } = this.#options
    if (onCode === undefined || this.#syntaxDue !== undefined) return
    if (!showsCode(this.#screen) && !this.#entries.some(isCode)) return
    this.#syntaxDue = clock.monotonic() + syntaxWaitMs
    onCode()
  }

  /** Whether the next entry is code whose highlighter is still loading. */
  #awaitsSyntax(): boolean {
    const entry = this.#entries[this.#next]
    if (this.#syntaxDue === undefined || this.#screen.syntax !== undefined) return false
    return entry !== undefined && isCode(entry) && this.#options.clock.monotonic() < this.#syntaxDue
  }

  #paintChunk(): void {
    this.#paint(this.#takeChunk())
  }

  #paint(finished: readonly Line[]): void {
    const { painter, hasCursor } = this.#options
    const screen = this.#screen
    this.#hasCursor ||= hasCursor === undefined && (isWideTyped(screen) || screen.prompt.vim !== undefined)
    const due = finished.length > 0 ? { finished, batch: this.#scene.batch + 1 } : this.#scene
    this.#scene = {
      screen,
      theme: themeOn(screen),
      finished: due.finished,
      batch: due.batch,
      hasCaret: this.#hasCursor && isPrompting(screen),
    }
    for (const listener of this.#listeners) listener()
    painter.paint(this.#tree, screen.size)
  }

  #takeChunk(): readonly Line[] {
    const rows: Line[] = []
    const { syntax, size, bindings } = this.#screen
    const drawing = { syntax, outputKey: shortKeyOf(bindings, 'open_output') }
    for (let length = 0; rows.length < chunkRows && length < chunkCharacters; this.#next++) {
      const entry = this.#code.dressed(this.#entries, this.#next, syntax)
      if (entry === undefined || (rows.length > 0 && isCode(entry) && this.#awaitsSyntax())) break
      for (const row of drawEntry(entry, size.columns, this.#previous, drawing)) {
        length += lineText(row).length
        rows.push(row)
      }
      this.#previous = entry
    }
    if (!this.#isDue) {
      this.#entries = []
      this.#next = 0
    }
    return rows
  }
}

/** Whether the model writes code, or a question shows a diff. */
function showsCode({ draft, calls, questions }: Screen): boolean {
  if (draft?.type === 'text' && draft.blocks.fence !== undefined) return true
  if (calls.some(({ look }) => look.display === 'diff')) return true
  return questions.some((question) => asked(question).display.contentKind === 'diff')
}

function isCode(entry: Entry): boolean {
  return entry.type === 'tool'
    ? entry.look.display === 'diff'
    : entry.type === 'block' && entry.block.type === 'code'
}

/** Characters before the cursor that a key may have typed. */
const typedLength = 16

/** Whether a wide character was typed, which takes an input method. */
function isWideTyped({ prompt: { text, cursor } }: Screen): boolean {
  const typed = text.slice(Math.max(0, cursor - typedLength), cursor)
  return graphemes(typed).some((one) => columnsOf(one) > one.length)
}

/** Whether the user writes in the prompt, without a list around it. */
function isPrompting(screen: Screen): boolean {
  const { questions, picker, secret, panel, search } = screen
  const isOther = [picker, secret, panel, search].some((one) => one !== undefined)
  return !isOther && questions.length === 0 && shownCompletion(screen) === undefined
}
