import type { Field } from '../bash/fields.ts'
import { joined, textOf, valuesAfter } from './arguments.ts'
import { carriedScripts } from './carried.ts'
import { commandName } from './command-name.ts'
import type { Inner, Wrapping } from './program.ts'
import { programOf } from './table.ts'

/** Returns what a command runs. May list too much, never too little of what its words show. */
export function innerOf(fields: readonly Field[]): Inner {
  const name = commandName(fields)
  const args = fields.slice(1)
  const { commands = [], scripts = [] } = runBy(name, args)
  return { commands, scripts: [...scripts, ...carriedScripts(name, args)] }
}

function runBy(name: string, args: readonly Field[]): Partial<Inner> {
  const { wraps, isShell, inner, startsAnywhere, launches } = programOf(name) ?? {}
  if (wraps !== undefined) return wrapped(wraps, args)
  if (isShell) return shell(args)
  if (inner !== undefined) return inner(args)
  if (startsAnywhere) {
    const { commands, scripts } = startingAnywhere(args)
    return { commands, scripts: [...scripts, ...args.slice(0, mostStarts).map(textOf)] }
  }
  return launches === undefined ? {} : launched(args, launches)
}

/** A word after an option may be the command or the option's value: both readings are returned. */
function wrapped(how: Wrapping, args: readonly Field[]): Partial<Inner> {
  if (how.looksUp?.test(args[0]?.text ?? '')) return {}
  const words = how.feeds ? stdinWords(args) : args
  const commands: (readonly Field[])[] = []
  let left = how.skips
  let afterOption = false
  for (const [i, { text, known }] of args.entries()) {
    const isOption = known && text.startsWith('-')
    if (!isOption && !/^[A-Za-z_]\w*=/.test(text)) {
      commands.push(words.slice(i))
      if (commands.length === mostStarts || (!afterOption && left-- === 0)) break
    }
    afterOption = isOption && !text.includes('=')
  }
  const scripts =
    how.splits === undefined
      ? valuesAfter(args, /^(-[a-z]*c|--c[a-z]*)/)
      : valuesAfter(args, how.splits).map((text) => text?.replace(/\\[_fnrtv]/g, ' '))
  if (how.script !== undefined) scripts.push(...commands.map(joined))
  if (how.script === 'each') scripts.push(...args.map(textOf))
  if (commands.length === mostStarts) scripts.push(undefined)
  return { commands, scripts }
}

/** The words of xargs, with an unknown word at each placeholder and at the end. */
function stdinWords(args: readonly Field[]): readonly Field[] {
  const marks = new Set(['{}', ...valuesAfter(args, /^(-[Ii]|--replace)/)])
  const isFed = ({ text }: Field) =>
    [...marks].some((mark) => mark !== undefined && mark !== '' && text.includes(mark))
  return [...args.map((field) => (isFed(field) ? unknownField : field)), unknownField]
}

function shell(args: readonly Field[]): Partial<Inner> {
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

function launched(args: readonly Field[], subcommands: readonly string[]): Partial<Inner> {
  const at = args.findIndex(({ text }) => subcommands.includes(text))
  return at === -1 ? {} : startingAnywhere(args.slice(at + 1))
}

/** Start positions to try for a command. Past that, the rest is unknown. */
const mostStarts = 100

function startingAnywhere(args: readonly Field[]): Inner {
  const commands = args.slice(0, mostStarts).map((_, i) => args.slice(i))
  return { commands, scripts: args.length > mostStarts ? [undefined] : [] }
}

const unknownField: Field = { text: '', known: false, glob: false }
