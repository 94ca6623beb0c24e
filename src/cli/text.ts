import type { AgentEvent } from '../event.ts'
import { textContent } from '../message.ts'
import { printable } from '../terminal/printable.ts'
import type { Host } from './host.ts'
import type { Reporter } from './reporter.ts'
import { describeCall, describeDuration } from './tool-line.ts'

export interface TextOptions {
  /** Tool activity, waits and the resume hint on stderr. */
  readonly chatty: boolean
}

/** The answer on stdout: as it streams on a terminal, whole and alone anywhere else. */
export function textReporter(
  { stdout, stderr }: Pick<Host, 'stdout' | 'stderr'>,
  { chatty }: TextOptions,
): Reporter {
  const lines = new Lines(stdout, stderr)
  let resume = ''
  return {
    begin: ({ sessionId }) => {
      resume = sessionId === undefined ? '' : `pipe: go on with: pipe -r ${sessionId}\n`
    },
    event: (event) => {
      if (stdout.isTerminal) showText(event, lines)
      if (chatty) showActivity(event, lines)
    },
    end: ({ answer }) => {
      if (stdout.isTerminal) lines.endLine()
      else if (answer !== '') stdout.write(answer.endsWith('\n') ? answer : `${answer}\n`)
      if (chatty && resume !== '') lines.note(resume)
    },
  }
}

/** Two outputs that may share one screen: a note never begins in the middle of a line of text. */
export class Lines {
  readonly #text: Host['stdout']
  readonly #notes: Host['stderr']
  #midLine = false

  constructor(text: Host['stdout'], notes: Host['stderr']) {
    this.#text = text
    this.#notes = notes
  }

  text(delta: string): void {
    const shown = printable(delta)
    if (shown === '') return
    this.#text.write(shown)
    this.#midLine = !shown.endsWith('\n')
  }

  endLine(): void {
    if (this.#midLine) this.#text.write('\n')
    this.#midLine = false
  }

  note(line: string): void {
    if (this.#text.isTerminal) this.endLine()
    this.#notes.write(line)
  }
}

/** The model's text as it comes. */
export function showText(event: AgentEvent, lines: Lines): void {
  if (event.type === 'text_delta') lines.text(event.delta)
  if (event.type === 'retry' || event.type === 'round_end') lines.endLine()
}

/** A line when a tool starts, one when it ends, and every wait. */
export function showActivity(event: AgentEvent, lines: Lines): void {
  switch (event.type) {
    case 'tool_start':
      lines.note(`• ${printable(describeCall(event.name, event.arguments))}\n`)
      return
    case 'tool_end': {
      const reason = event.isError ? ` ${printable(textContent(event).split('\n')[0] ?? '')}` : ''
      lines.note(`  ${event.isError ? '✗' : '✓'} ${describeDuration(event.durationMs)}${reason}\n`)
      return
    }
    case 'retry':
      lines.note(`pipe: ${printable(event.reason)}; trying again in ${describeDuration(event.waitMs)}\n`)
      return
    default:
      return
  }
}
