import { formatElapsed } from '../../frontend/words/duration.ts'
import { cleanTitle } from '../../history/title-text.ts'
import type { StopReason } from '../../usage.ts'
import { asked } from '../question/asked-question.ts'
import type { Screen } from '../state.ts'
import type { Shown } from '../store.ts'

/** The signs that a terminal shows outside its rows. Absent or false: it shows none of the kind. */
export interface WindowSigns {
  readonly title?: boolean
  /** A progress mark in the tab or the task bar. */
  readonly progress?: boolean
  /** The form of notifications: OSC 9, OSC 777, or the bell. */
  readonly notify?: 'osc9' | 'osc777' | 'bell' | undefined
  /** Names the conversation in the title until it has a name of its own. */
  readonly place?: string
}

export interface WindowOptions {
  readonly signs: WindowSigns
  /** Writes to the terminal at once. */
  readonly write: (bytes: string) => void
  /** Returns the name of the conversation. Called for each drawn screen. */
  readonly name: () => string | undefined
}

/** A turn shorter than this ends without a notification. */
const longTurnMs = 5_000
const titleLength = 80
const noticeLength = 120

const failures: readonly StopReason[] = ['error', 'refusal', 'length']

const st = '\u001b\\'
const pushTitle = '\u001b[22;0t'
// A terminal without a stack of titles takes the empty one and shows its own.
const popTitle = `\u001b]0;${st}\u001b[23;0t`
const watchFocus = '\u001b[?1004h'
const ignoreFocus = '\u001b[?1004l'

type Work = 'idle' | 'working' | 'asking' | 'failed'

const marks: Readonly<Record<Work, string>> = { idle: '', working: '✳ ', asking: '? ', failed: '' }
/** States of OSC 9;4: nothing, busy, paused, failed. */
const progress: Readonly<Record<Work, string>> = {
  idle: '0;0',
  working: '3;0',
  asking: '4;100',
  failed: '2;100',
}

/** The window around the screen: its title, its progress mark, and notifications while the user looks elsewhere. */
export class Window {
  readonly #options: WindowOptions
  #title = ''
  #progress = progress.idle
  /** The last news of the terminal. One that tells nothing counts as focused. */
  #hasFocus = true
  #questions = 0
  #busySince: number | undefined
  /** Monotonic time at which a turn ended with an error. */
  #failedAt: number | undefined
  /** Whether the terminal was given back. */
  #isAway = true

  constructor(options: WindowOptions) {
    this.#options = options
  }

  /** Returns the bytes that set the window up, also after it was given back. */
  readonly take = (): string => {
    this.#isAway = false
    return (this.#options.signs.title === true ? pushTitle : '') + this.refresh()
  }

  /** Returns the bytes that set it up again on another terminal. */
  readonly refresh = (): string => {
    const { signs } = this.#options
    const title = signs.title === true ? this.#titleBytes() : ''
    const mark = this.#progress === progress.idle ? '' : this.#progressBytes()
    return title + (signs.notify === undefined ? '' : watchFocus) + mark
  }

  /** Returns the bytes that give the window back as it was. */
  readonly give = (): string => {
    const { signs } = this.#options
    if (this.#isAway) return ''
    this.#isAway = true
    const mark = signs.progress === true ? `\u001b]9;4;${progress.idle}${st}` : ''
    return mark + (signs.notify === undefined ? '' : ignoreFocus) + (signs.title === true ? popTitle : '')
  }

  /** Takes an answer of the terminal: news of its focus. */
  hear(reply: string): void {
    if (reply === '\u001b[I') this.#hasFocus = true
    if (reply === '\u001b[O') this.#hasFocus = false
  }

  /** Shows what the screen tells, where that has changed. */
  readonly show = ({ screen }: Shown): void => {
    const notice = this.#follow(screen)
    if (this.#isAway || screen.isOver) return
    const work = this.#workOf(screen)
    const { signs, name, write } = this.#options
    const named = cleanTitle(name() ?? screen.status.server ?? signs.place ?? '', titleLength)
    const title = `${marks[work]}pipe${named === '' ? '' : ` · ${named}`}`
    const isRenamed = signs.title === true && title !== this.#title
    const isMoved = signs.progress === true && progress[work] !== this.#progress
    this.#title = title
    this.#progress = progress[work]
    const bytes = (isRenamed ? this.#titleBytes() : '') + (isMoved ? this.#progressBytes() : '')
    const told = notice === undefined || this.#hasFocus ? '' : this.#noticeBytes(notice)
    if (bytes + told !== '') write(bytes + told)
  }

  /** Compares the screen with the one before. Returns what to tell a user who looks elsewhere. */
  #follow(screen: Screen): string | undefined {
    const { questions, busySince, status, now, endedAs } = screen
    const before = { questions: this.#questions, busySince: this.#busySince }
    this.#questions = questions.length + (status.waitingTasks ?? 0)
    this.#busySince = busySince
    if (busySince !== undefined) this.#failedAt = undefined
    if (this.#questions > before.questions) return `Asking: ${questionOf(screen)}`
    if (busySince !== undefined || before.busySince === undefined) return undefined
    const hasFailed = endedAs !== undefined && failures.includes(endedAs)
    if (hasFailed) this.#failedAt = now
    const took = now - before.busySince
    if (took < longTurnMs) return undefined
    return `${hasFailed ? 'Failed after' : 'Done in'} ${formatElapsed(took)}`
  }

  #workOf({ questions, status, busySince, task, elves, pressedAt = 0 }: Screen): Work {
    if (questions.length > 0 || (status.waitingTasks ?? 0) > 0) return 'asking'
    if (busySince !== undefined || task !== undefined) return 'working'
    if (elves.some(({ state }) => state === 'running')) return 'working'
    // A user who presses a key has seen it.
    return this.#failedAt !== undefined && pressedAt <= this.#failedAt ? 'failed' : 'idle'
  }

  #titleBytes(): string {
    return this.#title === '' ? '' : `\u001b]0;${this.#title}${st}`
  }

  #progressBytes(): string {
    return this.#options.signs.progress === true ? `\u001b]9;4;${this.#progress}${st}` : ''
  }

  #noticeBytes(notice: string): string {
    const { notify } = this.#options.signs
    // A semicolon would end a part of the sequence.
    const text = cleanTitle(notice, noticeLength).replaceAll(';', ',')
    if (notify === 'osc9') return `\u001b]9;${text}${st}`
    if (notify === 'osc777') return `\u001b]777;notify;pipe;${text}${st}`
    return notify === 'bell' ? '\u0007' : ''
  }
}

/** Returns the title of the newest question. */
function questionOf({ questions }: Screen): string {
  const newest = questions.at(-1)
  return newest === undefined ? 'a task of the board' : asked(newest).display.title
}
