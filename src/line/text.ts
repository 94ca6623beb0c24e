import { removalNote } from '../characters/tag-characters.ts'
import type { AgentEvent } from '../event.ts'
import { formatDuration } from '../frontend/words/duration.ts'
import { rulesNote } from '../frontend/words/rules-note.ts'
import { isJsonObject } from '../json-value.ts'
import { textContent } from '../message.ts'
import type { Output, Outputs } from '../terminal/output.ts'
import { createScreenFilter, printable } from '../terminal/printable.ts'
import { visible } from '../terminal/visible.ts'
import type { FindLook } from '../tool.ts'
import { type OpenDrawing, TextDrawing } from './answer/drawn-text.ts'
import { describeElf, describeElfEnd, isOfElf, startsElf } from './elf-line.ts'
import type { Reporter } from './reporter.ts'
import { describeCall } from './tool-line.ts'

export interface TextOptions {
  /** Tool activity, waits and the resume hint on stderr. */
  readonly chatty: boolean
  /** Writes only errors to stderr. */
  readonly quiet: boolean
  readonly look: FindLook
  /** Whether only a part of the answer is printed, at the end: none of a failed one. Default: false. */
  readonly isPicked?: boolean
  /** Draws the text on a terminal. Absent: it is shown as it is. */
  readonly openDrawing?: OpenDrawing | undefined
}

/** Writes the answer to stdout: streamed on a terminal, else whole at the end. */
export function textReporter({ stdout, stderr }: Outputs, options: TextOptions): Reporter {
  const { chatty, quiet, look, isPicked = false, openDrawing } = options
  const lines = new Lines(stdout, stderr, look)
  const drawing = openDrawing && new TextDrawing(stdout, openDrawing, (event) => showText(event, lines))
  let resume = ''
  return {
    begin: ({ sessionId }) => {
      resume = sessionId === undefined ? '' : `pipe: resume with: pipe -r ${sessionId}\n`
    },
    event: (event) => {
      const shown = drawing?.show(event)
      if (drawing === undefined && stdout.isTerminal && !isPicked) showText(event, lines)
      if (chatty) showActivity(event, lines)
      return shown
    },
    end: (result, outcome) => {
      drawing?.end()
      const answer = isPicked && outcome.error !== undefined ? '' : result.text(outcome)
      // An answer of pipe itself was not streamed.
      if (stdout.isTerminal && !isPicked && !result.isReport) lines.endLine()
      else if (answer !== '') stdout.write(answerLine(stdout, answer))
      else if (!quiet && outcome.exitCode === 0 && result.rounds > 0) lines.note(noAnswer)
      if (chatty && resume !== '') lines.note(resume)
    },
    ...(chatty ? { note: (line: string) => lines.note(line) } : {}),
    ...(quiet ? {} : { notice: (line: string) => lines.note(line) }),
  }
}

/** Ends an answer with a newline. A terminal gets no control sequences. */
function answerLine({ isTerminal }: Output, answer: string): string {
  const line = answer.endsWith('\n') ? answer : `${answer}\n`
  return isTerminal ? printable(line) : line
}

/** Explains an empty stdout: the model called tools and then said nothing. */
const noAnswer = 'pipe: the model finished without an answer\n'

/** Adds tool activity and waits on stderr to a reporter's own output. */
export function withActivity(reporter: Reporter, { stdout, stderr }: Outputs, look: FindLook): Reporter {
  const lines = new Lines(stdout, stderr, look)
  return {
    ...reporter,
    event: (event) => {
      const shown = reporter.event(event)
      showActivity(event, lines)
      return shown
    },
    note: (line) => lines.note(line),
  }
}

/** Two outputs that may share a screen, so a note never starts in the middle of a text line. Filters control sequences. */
export class Lines {
  readonly #text: Output
  readonly #notes: Output
  readonly #filter = createScreenFilter()
  #block = ''
  #midLine = false
  /** Finds how calls of a tool look. */
  readonly look: FindLook

  constructor(text: Output, notes: Output, look: FindLook) {
    this.#text = text
    this.#notes = notes
    this.look = look
  }

  /** Writes a piece of the block with this id. A new block ends unfinished control sequences of the old one. */
  text(delta: string, block: string): void {
    if (block !== this.#block) this.#show(this.#filter.end())
    this.#block = block
    this.#show(this.#filter.write(delta))
  }

  endLine(): void {
    this.#show(this.#filter.end())
    if (this.#midLine) this.#text.write('\n')
    this.#midLine = false
  }

  note(line: string): void {
    if (this.#text.isTerminal) this.endLine()
    this.#notes.write(printable(line))
  }

  #show(shown: string): void {
    if (shown === '') return
    this.#text.write(shown)
    this.#midLine = !shown.endsWith('\n')
  }
}

/** Streams the model's text. */
export function showText(event: AgentEvent, lines: Lines): void {
  if (event.type === 'text_delta') lines.text(event.delta, event.id)
  if (event.type === 'retry' || event.type === 'fallback' || event.type === 'round_end') lines.endLine()
}

/** Writes a line when a tool starts, when it ends, for every wait, and for every change to the model's context. */
export function showActivity(event: AgentEvent, lines: Lines): void {
  switch (event.type) {
    case 'elf_start':
      lines.note(`• ${visible(describeElf(event))}\n`)
      return
    case 'elf_end':
      lines.note(`  ${describeElfEnd(event)}\n`)
      return
    case 'tool_start':
      if (startsElf(lines.look(event.name), event.arguments)) return
      lines.note(`• ${visible(describeCall(event.name, event.arguments))}\n`)
      return
    case 'tool_end': {
      if (isOfElf(event.details)) return
      const reason = event.isError ? ` ${describeFailure(event)}` : ''
      const removal = removalNote(event.details)
      const told = removal === undefined ? '' : ` (${removal})`
      lines.note(`  ${event.isError ? '✗' : '✓'} ${formatDuration(event.durationMs)}${told}${reason}\n`)
      return
    }
    case 'retry':
      if (event.attempt > 0)
        lines.note(`pipe: ${event.reason}; trying again in ${formatDuration(event.waitMs)}\n`)
      return
    case 'round_start':
      if (event.reason !== undefined)
        lines.note(`pipe: ${event.provider}/${event.model} answers: ${event.reason}\n`)
      return
    case 'compaction':
      lines.note(`pipe: summarised the conversation, ${event.tokensBefore} to ${event.tokensAfter} tokens\n`)
      return
    case 'compaction_failed':
      lines.note(`pipe: ${event.reason}\n`)
      return
    case 'rules_saved':
      lines.note(`pipe: ${rulesNote(event)}\n`)
      return
    case 'checkpoint':
      for (const note of event.notes) lines.note(`pipe: ${note}\n`)
      return
    default:
      return
  }
}

/** Describes a failure: a command's exit, because its output may begin with anything; else the first line. */
export function describeFailure(event: Extract<AgentEvent, { type: 'tool_end' }>): string {
  const { exit_code: code, signal, timed_out: late } = isJsonObject(event.details) ? event.details : {}
  if (late === true) return 'timed out'
  if (typeof signal === 'string') return `ended by ${signal}`
  if (typeof code === 'number' && code !== 0) return `exit code ${code}`
  return textContent(event).split('\n')[0] ?? ''
}
