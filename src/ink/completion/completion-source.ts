import type { FrontendApi } from '../../frontend/conversation-view.ts'
import { listSlashCommands } from '../../frontend/slash/slash-command.ts'
import { modeWords } from '../../frontend/words/mode-words.ts'
import { thinkingLevels } from '../../model.ts'
import { permissionModes } from '../../permission.ts'
import { printable } from '../../terminal/printable.ts'
import { themeNames } from '../rows/theme.ts'
import type { CompletionItem } from './completion.ts'
import type { FuzzyFind } from './fuzzy.ts'

/** The values that an argument may have. */
export interface ArgumentValues {
  readonly items: readonly CompletionItem[]
  /** Whether a value that is not among them makes sense too, or none at all: Enter then sends what is written. */
  readonly takes: (value: string) => boolean
}

/** Most sessions that are offered. */
const mostSessions = 200
/** Most items that are found. */
const mostFound = 50

/** Lists the commands, in their order. One that takes an argument is followed by a space. */
export function commandItems(api: FrontendApi): readonly CompletionItem[] {
  return listSlashCommands(api).map(([usage, help]) => {
    const [label = usage] = usage.split(/[\s,]/, 1)
    const isAlone = usage === label || usage.includes(', /')
    return { label: inOneRow(label), matched: [], help: inOneRow(help), text: isAlone ? label : `${label} ` }
  })
}

/** Returns the names of the commands, the other names of a command too. */
export function commandNames(api: FrontendApi): ReadonlySet<string> {
  return new Set(listSlashCommands(api).flatMap(([usage]) => usage.match(/(?<=^|, )\/[^\s,]+/g) ?? []))
}

/** Whether the values of a command's argument are known. */
export function hasValues(command: string, api: FrontendApi): boolean {
  return sources[command]?.(api) !== undefined
}

/** Adds what else than a file a message can name to the files that match, where a list without them would still be in view. */
export function withKinds(
  query: string,
  files: readonly CompletionItem[],
  api: FrontendApi,
): readonly CompletionItem[] {
  const kinds = mentionKinds.filter(([kind]) => kind.startsWith(query) && hasValues(`@${kind}`, api))
  if (kinds.length === 0) return files
  const items = kinds.map(([kind, help]) => {
    const matched = Array.from(query, (_, at) => at)
    return { label: `${kind}:`, matched, help, text: `@${kind}:` }
  })
  return [...files.slice(0, filesBeforeKinds), ...items, ...files.slice(filesBeforeKinds)]
}

const mentionKinds = [
  ['agent', 'an agent for the work'],
  ['session', 'an earlier conversation'],
] as const

/** Files above these kinds: a list shows 8 rows. */
const filesBeforeKinds = 6

/** Yields the values of a command's argument: all those that are known so far, each time there are more. */
export async function* argumentValues(
  command: string,
  api: FrontendApi,
  signal: AbortSignal,
): AsyncGenerator<ArgumentValues, undefined, undefined> {
  const source = sources[command]?.(api)
  if (source === undefined) return
  let items: readonly CompletionItem[] = []
  for await (const more of source.read(signal)) {
    items = [...items, ...more]
    yield { items, takes: source.takes }
  }
}

/** The sources of an argument's values, in parts. */
interface Source {
  readonly takes: ArgumentValues['takes']
  readonly read: (signal: AbortSignal) => AsyncIterable<readonly CompletionItem[]>
}

const sources: Readonly<Record<string, ((api: FrontendApi) => Source | undefined) | undefined>> = {
  mode: ({ setMode }) =>
    setMode &&
    fixed(permissionModes.map((mode) => [mode === 'default' ? 'ask' : mode, modeWords[mode].long])),
  thinking: ({ thinking }) =>
    thinking && fixed((thinking.levels() ?? thinkingLevels).map((label) => [label])),
  theme: ({ saveTheme }) => saveTheme && fixed(['auto', ...themeNames].map((label) => [label])),
  model: (api) => api.models && { takes: () => true, read: (signal) => modelItems(api, signal) },
  resume: (api) => api.sessions && { takes: beginsId, read: () => sessionItems(api) },
  '@agent': (api) => api.agents && { takes: () => false, read: () => agentItems(api) },
  '@session': ({ takesSessions, sessions }) =>
    takesSessions === true && sessions !== undefined
      ? { takes: () => false, read: () => mentionedItems({ sessions }) }
      : undefined,
}

/** Whether a text may be the beginning of a session's id. */
function beginsId(text: string): boolean {
  return /^[\da-f-]*$/i.test(text)
}

/** Makes a source of the only values that there are, each with what it means. */
function fixed(values: readonly (readonly [label: string, help?: string])[]): Source {
  const items = values.map(([label, help]) => ({ label, matched: [], help }))
  return {
    takes: (value) => value === '',
    read: async function* () {
      yield items
    },
  }
}

async function* modelItems(
  { models, model }: FrontendApi,
  signal: AbortSignal,
): AsyncGenerator<readonly CompletionItem[], undefined, undefined> {
  for await (const part of models?.(signal, model?.()) ?? []) {
    yield part.map(({ name, missing }) => ({
      label: inOneRow(name),
      matched: [],
      ...(missing !== undefined && { help: inOneRow(missing) }),
    }))
  }
}

async function* agentItems({
  agents,
}: FrontendApi): AsyncGenerator<readonly CompletionItem[], undefined, undefined> {
  const found = (await agents?.()) ?? []
  yield found.map(({ name, description }) =>
    mentioned({ label: name, matched: [], help: inOneRow(description) }),
  )
}

/** Lists the sessions, each followed by a space: a message goes on behind it. */
async function* mentionedItems(
  api: Pick<FrontendApi, 'sessions'>,
): AsyncGenerator<readonly CompletionItem[], undefined, undefined> {
  for await (const items of sessionItems(api)) yield items.map(mentioned)
}

function mentioned(item: CompletionItem): CompletionItem {
  return { ...item, text: `${item.label} ` }
}

async function* sessionItems({
  sessions,
}: Pick<FrontendApi, 'sessions'>): AsyncGenerator<readonly CompletionItem[], undefined, undefined> {
  const items: CompletionItem[] = []
  for await (const { id, title, opening = '', fault } of sessions?.() ?? []) {
    if (fault === undefined) items.push({ label: id, matched: [], help: inOneRow(title ?? opening) })
    if (items.length === mostSessions) break
  }
  yield items
}

/** Finds items by their labels, else by their descriptions; all of them for an empty query. The best first. */
export function findItems(
  query: string,
  items: readonly CompletionItem[],
  find: FuzzyFind,
): readonly CompletionItem[] {
  if (query === '') return items
  // One letter is in nearly every name.
  if (/^\/.$/u.test(query)) return items.filter(({ label }) => label.startsWith(query))
  const byText = new Map(items.map((item) => [searched(item), item]))
  return find(query, [...byText.keys()], mostFound).flatMap(({ target, matched }) => {
    const item = byText.get(target)
    return item === undefined ? [] : [{ ...item, matched: matched.filter((at) => at < item.label.length) }]
  })
}

/** The text of a value that is searched, with its description. A command is searched by its name alone. */
function searched({ label, help }: CompletionItem): string {
  return label.startsWith('/') || help === undefined ? label : `${label}  ${help}`
}

function inOneRow(text: string): string {
  return printable(text)
    .replace(/[\t\n]+/g, ' ')
    .trim()
}
