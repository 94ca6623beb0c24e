import type { Field } from '../bash/fields.ts'
import type { Inner, Program } from './program.ts'
import { joined, textOf, valuesAfter } from './word-fields.ts'

interface Wrapping {
  /** Operands before the command. */
  readonly skips?: number
  /** A first word with which it only looks up a command. */
  readonly looksUp?: RegExp
  /** Returns its words as they run. */
  readonly filled?: (args: readonly Field[]) => readonly Field[]
  /** Runs its words as a script: joined, or `each` word too. */
  readonly script?: 'joined' | 'each'
  /** Options whose value is split into the command. */
  readonly splits?: RegExp
}

/** A program that runs its own words. */
export function wrapper(how: Wrapping = {}): Program {
  return { mayRun: (args) => wrapped(how, args), wordsAreData: true }
}

/** A program that runs the words after these subcommands. */
export function launcher(...subcommands: readonly string[]): Program {
  return {
    mayRun: (args) => {
      const at = args.findIndex(({ text }) => subcommands.includes(text))
      return at === -1 ? {} : startingAnywhere(args.slice(at + 1))
    },
  }
}

/** A program that may run a command that starts at any of its words. */
export const loose: Program = {
  mayRun: (args) => {
    const { commands, scripts } = startingAnywhere(args)
    return { commands, scripts: [...scripts, ...args.slice(0, mostStarts).map(textOf)] }
  },
  wordsAreData: true,
}

export const shell: Program = { isShell: true, readsScript: true, mayRun: runByShell }

/** Words to try as the start of a command. Past these, the rest is unknown. */
const mostStarts = 100

/** A word after an option may be the command or the option's value, so this returns both readings. */
function wrapped(
  { skips = 0, looksUp, filled, script, splits }: Wrapping,
  args: readonly Field[],
): Partial<Inner> {
  if (looksUp?.test(args[0]?.text ?? '')) return {}
  const words = filled?.(args) ?? args
  const commands: (readonly Field[])[] = []
  let left = skips
  let afterOption = false
  for (const [i, { text, known }] of args.entries()) {
    const isOption = known && text.startsWith('-')
    if (!isOption && !/^[A-Za-z_][\w%()]*=/.test(text)) {
      commands.push(words.slice(i))
      if (commands.length === mostStarts || (!afterOption && left-- === 0)) break
    }
    afterOption = isOption && !text.includes('=')
  }
  const scripts =
    splits === undefined
      ? valuesAfter(args, /^(-[a-z]*c|--c[a-z]*)/)
      : valuesAfter(args, splits).map((text) => text?.replace(/\\[_fnrtv]/g, ' '))
  if (script !== undefined) scripts.push(...commands.map(joined))
  if (script === 'each') scripts.push(...args.map(textOf))
  if (commands.length === mostStarts) scripts.push(undefined)
  return { commands, scripts }
}

function runByShell(args: readonly Field[]): Partial<Inner> {
  const at = args.findIndex(({ text }) => /^[-+][A-Za-z]*c[A-Za-z]*$|^--commands?$|^-Command$/i.test(text))
  // Shells other than bash accept the script attached to `-c`.
  const attached = args.flatMap(
    ({ text }) => /^(?:-[A-Za-z]*?c|--[a-z-]*commands?=)(.*\s.*)$/s.exec(text)?.[1] ?? [],
  )
  if (at === -1) return { scripts: attached }
  const rest = args.slice(at + 1)
  const first = rest.findIndex(({ text }) => !/^[-+]/.test(text))
  const [script, ...positional] = first === -1 ? rest : rest.slice(first)
  return {
    // A script can run its own arguments: "$0" and "$@".
    commands: [positional, positional.slice(1)].filter((one) => one.length > 0),
    scripts: [...(script === undefined ? [] : [textOf(script)]), ...attached],
  }
}

function startingAnywhere(args: readonly Field[]): Inner {
  const commands = args.slice(0, mostStarts).map((_, i) => args.slice(i))
  return { commands, scripts: args.length > mostStarts ? [undefined] : [] }
}
