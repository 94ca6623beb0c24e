import { oneLine } from '../../characters/one-line.ts'
import { findDirectories } from '../../config/directories.ts'
import { trustRoot } from '../../config/trust/folder-trust.ts'
import { mainRoot } from '../../config/trust/main-root.ts'
import { tableText } from '../../frontend/words/text-table.ts'
import type { KeptMemories } from '../../memories/kept-memories.ts'
import type { Memory, MemoryScope } from '../../memory/memories.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { printWarning } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import type { RunContext } from '../run-context.ts'
import { openRedactor } from '../wiring/audit/open-audit-log.ts'
import { openMemories } from '../wiring/memory/open-memories.ts'
import { confirmDeletion } from './confirmation.ts'
import { JsonList } from './json-list.ts'

/** Characters of a text that lists and questions show. */
const firstWords = 60

/** Lists the memories of this project and of the user. Names on stderr the files that cannot be read. */
export async function listMemories(context: RunContext): Promise<void> {
  const { host, flags } = context
  const { memories, faults } = (await openKept(context)).list()
  for (const fault of faults) printWarning(host, fault)
  if (flags.format === 'json') return writeList('memories', memories, context)
  if (memories.length > 0) host.stdout.write(`${tableText(memories.map(cells))}\n`)
  else if (host.stderr.isTerminal) printWarning(host, 'no memories yet: pipe memory add TEXT')
}

/** Shows a whole memory. Throws `input` if there is none with this id. */
export async function showMemory(id: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  const kept = await openKept(context)
  const memory = kept.find(id)
  const path = kept.fileOf(memory)
  if (flags.format === 'json') {
    host.stdout.write(`${printableJson({ ...encode(memory), path })}\n`)
    return
  }
  const { scope, date, session } = memory
  const facts = { id: memory.id, reach: reaches[scope], ...omitUndefined({ date, session }), file: path }
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${printable(value)}`)
  host.stdout.write(`${printable(memory.text)}\n\n${lines.join('\n')}\n`)
}

/** Keeps a text. Throws `invalid`, and as `Memories.keep`. */
export async function addMemory(words: readonly string[], context: RunContext): Promise<void> {
  const { host, flags, signal } = context
  const kept = await openKept(context)
  const { memory, path, isNew } = await kept.keep(kept.draft(words.join(' '), scopeOf(context)), { signal })
  const { id, scope, text } = memory
  host.stdout.write(
    flags.format === 'json'
      ? `${printableJson({ ...encode(memory), path })}\n`
      : `${isNew ? 'kept' : 'kept already'}: ${id}  ${reaches[scope]}  ${firstWordsOf(text)}\n`,
  )
}

/** Removes memories, after a question. Throws `input` if there is none with one of these ids, before any is removed. */
export async function forgetMemories(ids: readonly string[], context: RunContext): Promise<void> {
  const { host, flags, signal } = context
  const kept = await openKept(context)
  const named = [...new Map(ids.map((id) => kept.find(id)).map((one) => [one.id, one])).values()]
  const isSure = await confirmDeletion(questionOf(named), 'memory forget', context)
  if (isSure) await kept.forget(named, { signal })
  else printWarning(host, 'nothing was forgotten')
  const forgotten = isSure ? named : []
  if (flags.format === 'json') return writeList('forgotten', forgotten, context)
  for (const { id, text } of forgotten) host.stdout.write(`forgotten: ${id}  ${firstWordsOf(text)}\n`)
}

/** Prints the path of a file of memories. */
export async function printPath(context: RunContext): Promise<void> {
  const { host, flags } = context
  const path = (await openKept(context)).pathOf(scopeOf(context))
  host.stdout.write(`${flags.format === 'json' ? printableJson({ path }) : printable(path)}\n`)
}

async function openKept({ host }: RunContext): Promise<KeptMemories> {
  const root = trustRoot(host.cwd, host.home)
  return openMemories({
    machine: host,
    directories: findDirectories(host.env, host.home),
    root,
    shared: mainRoot(root, host.home),
    redact: await openRedactor(host),
  })
}

function scopeOf({ flags }: RunContext): MemoryScope {
  return flags.has('user') ? 'user' : 'project'
}

const reaches: Readonly<Record<MemoryScope, string>> = { project: 'this project', user: 'all projects' }

function cells({ id, scope, date = '-', text }: Memory): readonly string[] {
  return [id, reaches[scope], date, firstWordsOf(text)]
}

function firstWordsOf(text: string): string {
  return oneLine(printable(text), firstWords)
}

function questionOf(memories: readonly Memory[]): string {
  const lines = memories.map(({ scope, text }) => `${firstWordsOf(text)} (${reaches[scope]})`)
  return lines.length === 1 ? `Forget ${lines[0]}?` : `${lines.join('\n')}\nForget these ${lines.length}?`
}

function writeList(name: string, memories: readonly Memory[], { host }: RunContext): void {
  const list = new JsonList(host.stdout, name)
  for (const memory of memories) list.add(encode(memory))
  list.end()
}

function encode({ id, scope, text, date, session }: Memory): object {
  return { id, scope, text, ...omitUndefined({ date, session_id: session }) }
}
