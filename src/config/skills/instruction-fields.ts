import { oneLine } from '../../characters/one-line.ts'
import { withoutTags } from '../../characters/tag-characters.ts'
import type { FrontMatterField } from '../agents/front-matter.ts'
import { readTextLeniently, saysYes, showField } from './lenient-fields.ts'

/** What the fields of a skill or command say. */
export interface InstructionFields {
  readonly name?: string
  readonly description?: string
  readonly hint?: string
  readonly isForModel: boolean
  readonly isForUser: boolean
  /** Name what breaks the format, each with its line: `4: …`. */
  readonly faults: readonly string[]
  /** Name what has no effect here, each with its line. */
  readonly notes: readonly string[]
}

/** Characters of a hint. */
const longestHint = 60

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
  return {
    ...(name !== undefined && { name }),
    ...(told.length > 0 && { description: told.join(' ') }),
    ...(hint !== undefined && { hint: oneLine(hint, longestHint) }),
    isForModel: closed === undefined || !saysYes(closed),
    isForUser: open === undefined || saysYes(open),
    faults,
    notes,
  }
}

/** Fields that have an effect, or are there for people. */
const known: readonly string[] = [
  ...['name', 'description', 'when_to_use', 'argument-hint', 'disable-model-invocation', 'user-invocable'],
  ...['license', 'compatibility', 'metadata', 'version', 'author', 'tags', 'category'],
]

/** What fields that other programs read would do, and what happens instead. */
const without: Readonly<Record<string, string>> = {
  model: 'the model of the conversation answers',
  agent: 'the conversation itself does the work',
  context: 'the conversation itself does the work',
  effort: 'the level of thinking stays as it is',
  hooks: 'no program is run',
  paths: 'it counts for all files',
  shell: 'no line of it is run',
  arguments: 'words are put in by their number, as in $1',
}

function noteOf(field: FrontMatterField): string {
  const { name } = field
  if (name === 'allowed-tools')
    return `allowed-tools approves nothing here: its tools are asked about as usual (${showField(field)})`
  const instead = Object.hasOwn(without, name) ? without[name] : undefined
  return instead === undefined ? `ignored the unknown field ${name}` : `${name} has no effect: ${instead}`
}
