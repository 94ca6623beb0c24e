import { readAssignment } from '../bash/assignment.ts'
import { expandWords } from '../bash/expansion.ts'
import type { Field } from '../bash/fields.ts'
import { scan } from '../bash/scanner.ts'
import { allWords, type ScannedCommand, type Script, scriptsOf, type Word } from '../bash/syntax.ts'
import { commandName } from '../programs/command-name.ts'
import { innerOf } from '../programs/inner.ts'

/** A part of a command line, in UTF-16 code units. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A simple command of a line. */
export interface Step extends Range {
  /** Its words, then those of each command that it runs in turn, as `sudo` does. */
  readonly forms: readonly (readonly Field[])[]
  /** Whether the step before it writes into it. */
  readonly isPiped: boolean
  /** Steps in its words, such as `$(…)`, and in scripts that it hands to a shell. */
  readonly inner: readonly Step[]
  /** Whether `start` and `end` frame exactly this step. Otherwise they frame the step around it. */
  readonly isFramed: boolean
}

/** Limits that no line written by hand reaches. */
const mostForms = 32
const deepest = 6
const mostSteps = 400

/** Lists the simple commands of a line, in order. */
export function stepsOf(command: string): readonly Step[] {
  return stepsIn(scan(command), { command, depth: 0, budget: { steps: mostSteps } })
}

/** The steps, those in their words, and so on. */
export function allSteps(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => [step, ...allSteps(step.inner)])
}

/** The names of the programs that a step runs. */
export function programsIn({ forms }: Step): readonly string[] {
  return forms.map(commandName)
}

interface Place {
  readonly command: string
  /** The step around a script whose own offsets are of another text. */
  readonly frame?: Range
  readonly depth: number
  /** The room left in the list, shared by all scripts of the line. */
  readonly budget: { steps: number }
}

function stepsIn({ commands }: Script, place: Place): readonly Step[] {
  if (place.depth > deepest) return []
  const steps: Step[] = []
  for (const scanned of commands) {
    if (place.budget.steps-- <= 0) break
    const first = scanned.words.findIndex((word) => readAssignment(word) === undefined)
    const words = first === -1 ? [] : scanned.words.slice(first)
    const range = place.frame ?? rangeOf(scanned)
    const isPiped =
      scanned.piped && (place.frame !== undefined || follows(place.command, steps.at(-1), range))
    // The last way holds what is unknown.
    const forms = formsOf(expandWords(words, new Map()).at(-1) ?? [])
    const scripts = forms.flatMap((fields) => innerOf(fields).scripts).filter((text) => text !== undefined)
    const handed = [...new Set(scripts)].slice(0, mostForms)
    const inner = [
      ...allWords(scanned).flatMap((word) => stepsInWord(word, place)),
      ...handed.flatMap((text) => stepsIn(scan(text), { ...place, frame: range, depth: place.depth + 2 })),
    ]
    steps.push({ ...range, forms, isPiped, inner, isFramed: place.frame === undefined })
  }
  return steps
}

/** Offsets in backticks and arithmetic are of another text, so all steps there stand for the whole word. */
function stepsInWord(word: Word, place: Place): readonly Step[] {
  const { command, frame, depth } = place
  const isOwn = frame === undefined && /`|\$\(\(/.test(command.slice(word.start, word.end))
  const inside: Place = { ...place, depth: depth + 1, ...(isOwn ? { frame: word } : {}) }
  return scriptsOf(word.parts).flatMap((script) => stepsIn(script, inside))
}

function rangeOf(scanned: ScannedCommand): Range {
  const words = allWords(scanned)
  return {
    start: Math.min(...words.map(({ start }) => start)),
    end: Math.max(...words.map(({ end }) => end)),
  }
}

/** Whether only a pipe stands between two steps. */
function follows(command: string, before: Step | undefined, { start }: Range): boolean {
  if (before === undefined) return false
  const between = command.slice(before.end, start).replaceAll('||', ';')
  return between.includes('|') && !/;|&&|\n/.test(between)
}

/** The command, and the commands that it runs. */
function formsOf(fields: readonly Field[]): readonly (readonly Field[])[] {
  const forms: (readonly Field[])[] = fields.length === 0 ? [] : [fields]
  for (let i = 0; i < forms.length && forms.length < mostForms; i++) {
    const known = new Set(forms.map(keyOf))
    const more = innerOf(forms[i] ?? []).commands.filter((one) => one.length > 0 && !known.has(keyOf(one)))
    forms.push(...more.slice(0, mostForms - forms.length))
  }
  return forms
}

function keyOf(fields: readonly Field[]): string {
  return fields.map(({ text, known }) => `${known ? '' : '?'}${text}`).join('\0')
}
