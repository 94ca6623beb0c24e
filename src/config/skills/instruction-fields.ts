import { oneLine } from '../../characters/one-line.ts'
import { withoutTags } from '../../characters/tag-characters.ts'
import { isJsonObject, type JsonObject } from '../../json-value.ts'
import { ok, type Result, refused } from '../../machine/result.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { readEffort } from '../agents/effort-word.ts'
import { type FrontMatterField, readList } from '../agents/front-matter.ts'
import { readNested } from '../agents/nested-value.ts'
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
  /** Globs of the files that it is about. Absent: it is about all work. */
  readonly globs?: readonly string[]
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
  const paths = find('paths')
  const listed = paths === undefined ? ok([]) : readList(paths)
  if (listed.type === 'refused') faults.push(`${listed.reason}, so it applies to all files`)
  // A text in quotes may hold several. Commas in braces belong to a glob.
  const globs = (listed.type === 'ok' ? listed.value : [])
    .flatMap((text) => text.split(/,(?![^{]*\})/))
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '')
  const shell = find('shell')
  const isForeign = shell !== undefined && !ownShells.includes(readTextLeniently(shell).text.toLowerCase())
  if (isForeign)
    notes.push(
      `${shell.line}: commands in its text do not run: the shell ${showField(shell)} is not supported`,
    )
  const model = textOf('model')
  const hooksField = find('hooks')
  const hooks = hooksField === undefined ? undefined : readHooksOf(hooksField)
  if (hooks?.type === 'refused') faults.push(`${hooks.reason}; without them allowed-tools allows nothing`)
  const allowed = hooks?.type === 'refused' ? [] : rulesOf(find('allowed-tools'))
  return {
    ...(name !== undefined && { name }),
    ...(told.length > 0 && { description: told.join(' ') }),
    ...(hint !== undefined && { hint: oneLine(hint, longestHint) }),
    ...(parameters.length > 0 && { parameters }),
    ...(globs.length > 0 && { globs }),
    isForModel: closed === undefined || !saysYes(closed),
    isForUser: open === undefined || saysYes(open),
    asks: (text) => {
      const runs = isForeign ? [] : commandsIn(text)
      const fields = omitUndefined({
        model,
        effort,
        agent,
        hooks: hooks?.type === 'ok' ? hooks.value : undefined,
      })
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

/** Reads programs at events. Refuses what is no map, with its line. */
function readHooksOf(field: FrontMatterField): Result<JsonObject> {
  const read = readNested(field)
  if (read.type === 'refused') return read
  return isJsonObject(read.value)
    ? ok(read.value)
    : refused(`${field.line}: hooks takes events, each with a list of hooks`)
}

/** Returns the rules of a field, as a list or divided by blanks or commas outside of parentheses. */
function rulesOf(field: FrontMatterField | undefined): readonly string[] {
  if (field === undefined) return []
  const list = readList(field)
  const texts = list.type === 'ok' ? list.value : [readTextLeniently(field).text]
  return texts.flatMap((text) => text.match(/[^\s,()]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?/g) ?? [])
}

/** The shells whose lines bash runs. */
const ownShells: readonly string[] = ['bash', 'sh']

/** Fields that have an effect, or are there for people. */
const known: readonly string[] = [
  ...['name', 'description', 'when_to_use', 'argument-hint', 'disable-model-invocation', 'user-invocable'],
  ...['allowed-tools', 'model', 'effort', 'agent', 'context', 'arguments', 'paths', 'shell', 'hooks'],
  ...['license', 'compatibility', 'metadata', 'version', 'author', 'tags', 'category'],
]

function noteOf({ name }: FrontMatterField): string {
  return `ignored the unknown field ${name}`
}
