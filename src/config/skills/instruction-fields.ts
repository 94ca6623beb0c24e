import { oneLine } from '../../characters/one-line.ts'
import { withoutTags } from '../../characters/tag-characters.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { readEffort } from '../agents/effort-word.ts'
import { type FrontMatterField, readList } from '../agents/front-matter.ts'
import type { InstructionAsks } from './instruction-asks.ts'
import { readTextLeniently, saysYes, showField } from './lenient-fields.ts'
import { commandsIn } from './running-lines.ts'

/** Holds the fields of a skill or command. */
export interface InstructionFields {
  readonly name?: string
  readonly description?: string
  readonly hint?: string
  readonly isForModel: boolean
  readonly isForUser: boolean
  /** Names of the words of a call, in their order. */
  readonly parameters?: readonly string[]
  /** Returns what a file with this text asks for; `undefined` if it asks for nothing but the text. */
  asks(text: string): InstructionAsks | undefined
  /** Name what breaks the format, each with its line: `4: …`. */
  readonly faults: readonly string[]
  /** Name what has no effect here, each with its line. */
  readonly notes: readonly string[]
}

/** Characters of a hint. */
const longestHint = 60

/** The agent of a file that only says that one does its work. */
const usualAgent = 'general'

/** Reads the fields of a skill or command. A field that is unknown or odd costs only itself. */
export function readInstructionFields(fields: readonly FrontMatterField[]): InstructionFields {
  const faults: string[] = []
  const notes: string[] = []
  const find = (name: string) => fields.find((field) => field.name === name)
  const textOf = (name: string) => {
    const field = find(name)
    if (field === undefined) return undefined
    const { text, fault } = readTextLeniently(field)
    // A hint is written in brackets, which are a list elsewhere.
    if (fault !== undefined && name !== 'argument-hint') faults.push(fault)
    const clean = withoutTags(text)
      .replace(/\s+|\p{Cc}+/gu, ' ')
      .trim()
    return clean === '' ? undefined : clean
  }
  const name = textOf('name')
  const told = [textOf('description'), textOf('when_to_use')].filter((text) => text !== undefined)
  const hint = textOf('argument-hint')
  for (const field of fields) {
    const note = known.includes(field.name) ? undefined : noteOf(field)
    if (note !== undefined) notes.push(`${field.line}: ${note}`)
  }
  const closed = find('disable-model-invocation')
  const open = find('user-invocable')
  const parameters = wordsOf(find('arguments')).filter((word) => /^[A-Za-z_][\w-]*$/.test(word))
  const effort = readEffort(textOf('effort') ?? '')
  const effortField = find('effort')
  if (effortField !== undefined && effort === undefined)
    notes.push(`${effortField.line}: effort has no effect: there is no level ${showField(effortField)}`)
  const forks = textOf('context')?.toLowerCase() === 'fork'
  const agent = textOf('agent') ?? (forks ? usualAgent : undefined)
  const allowed = rulesOf(find('allowed-tools'))
  const model = textOf('model')
  return {
    ...(name !== undefined && { name }),
    ...(told.length > 0 && { description: told.join(' ') }),
    ...(hint !== undefined && { hint: oneLine(hint, longestHint) }),
    ...(parameters.length > 0 && { parameters }),
    isForModel: closed === undefined || !saysYes(closed),
    isForUser: open === undefined || saysYes(open),
    asks: (text) => {
      const runs = commandsIn(text)
      const fields = omitUndefined({ model, effort, agent })
      const isPlain = runs.length + allowed.length + Object.keys(fields).length === 0
      return isPlain ? undefined : { runs, allowed, ...fields }
    },
    faults,
    notes,
  }
}

/** Returns the words of a field, as a list or divided by blanks. */
function wordsOf(field: FrontMatterField | undefined): readonly string[] {
  if (field === undefined) return []
  const list = readList(field)
  return (list.type === 'ok' ? list.value : [readTextLeniently(field).text]).flatMap((text) =>
    text.split(/\s+/).filter((word) => word !== ''),
  )
}

/** Returns the rules of a field, as a list or divided by blanks or commas outside of parentheses. */
function rulesOf(field: FrontMatterField | undefined): readonly string[] {
  if (field === undefined) return []
  const list = readList(field)
  const texts = list.type === 'ok' ? list.value : [readTextLeniently(field).text]
  return texts.flatMap((text) => text.match(/[^\s,()]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?/g) ?? [])
}

/** Fields that have an effect, or are there for people. */
const known: readonly string[] = [
  ...['name', 'description', 'when_to_use', 'argument-hint', 'disable-model-invocation', 'user-invocable'],
  ...['allowed-tools', 'model', 'effort', 'agent', 'context', 'arguments'],
  ...['license', 'compatibility', 'metadata', 'version', 'author', 'tags', 'category'],
]

/** Explains fields that only other programs read: their effect there, and here. */
const without: Readonly<Record<string, string>> = {
  hooks: 'no program is run',
  paths: 'it counts for all files',
  shell: 'commands run in bash',
}

function noteOf({ name }: FrontMatterField): string {
  const instead = Object.hasOwn(without, name) ? without[name] : undefined
  return instead === undefined ? `ignored the unknown field ${name}` : `${name} has no effect: ${instead}`
}
