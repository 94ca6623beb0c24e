import { resolve } from 'node:path'
import { oneLine } from '../characters/one-line.ts'
import { isPipeError, throwIfAborted } from '../error.ts'
import { isJsonObject, type JsonValue, textField } from '../json-value.ts'
import { errorResult, type Tool, type ToolExecutor, type ToolResult, textResult } from '../tool.ts'
import { referencesFacts, symbolsFacts } from './code-tool-facts.ts'
import { type CleanMessage, startOf } from './file-error.ts'
import type { LanguagePool } from './language-pool.ts'
import type { LanguageServer } from './language-server.ts'
import { pathOfUri } from './open-documents.ts'
import referencesText from './references.md'
import symbolsText from './symbols.md'
import type { WatchedEdits } from './watched-edits.ts'

export interface CodeToolOptions extends Pick<WatchedEdits, 'open' | 'cwd' | 'readText' | 'show'> {
  readonly clean: CleanMessage
  /** Whether the model may see a file. */
  readonly mayRead: (path: string) => boolean
}

/** Rows of a result, and symbols within symbols that are followed. */
const most = { rows: 200, levels: 8 }

const path = { type: 'string' } as const

/** The tools that ask language servers, found by the search for tools. */
const codeTools: readonly Tool[] = [
  {
    ...symbolsFacts,
    description: symbolsText.trim(),
    parameters: { type: 'object', properties: { path, query: { type: 'string' } }, required: ['path'] },
  },
  {
    ...referencesFacts,
    description: referencesText.trim(),
    parameters: {
      type: 'object',
      properties: { path, line: { type: 'integer' }, name: { type: 'string' } },
      required: ['path', 'line', 'name'],
    },
  },
]

/** Runs the tools that ask language servers. */
export function createCodeTools(options: CodeToolOptions): ToolExecutor {
  return {
    tools: () => codeTools,
    // biome-ignore lint/correctness/useYield: it has nothing to tell before its result
    async *execute(name, args, { signal, judgedPaths }) {
      throwIfAborted(signal)
      const given = textField(args, 'path')
      if (given === undefined) return errorResult('path is missing: name a file')
      const file = judgedPaths?.[0] ?? resolve(options.cwd, given)
      const text = await options.readText(file)
      const pool: LanguagePool | undefined = await options.open()
      const server = pool?.serverOf(file, options.cwd)
      if (text === undefined) return errorResult(`${given} is no file of text; use glob to find one`)
      if (server === undefined) return errorResult(`no language server is there for ${given}; use grep`)
      try {
        return name === symbolsFacts.name
          ? await symbols({ server, file, text, query: textField(args, 'query'), signal }, options)
          : await references({ server, file, text, args, signal }, options)
      } catch (error) {
        throwIfAborted(signal)
        if (!(error instanceof Error) || (isPipeError(error) && error.code !== 'tool')) throw error
        return errorResult(`${oneLine(options.clean(error.message), 500)}; use grep`)
      }
    },
  }
}

interface Asked {
  readonly server: LanguageServer
  readonly file: string
  readonly text: string
  readonly signal: AbortSignal
}

async function symbols(
  { server, file, text, query, signal }: Asked & { readonly query: string | undefined },
  options: CodeToolOptions,
): Promise<ToolResult> {
  const request =
    query === undefined || query === ''
      ? {
          provider: 'documentSymbolProvider',
          method: 'textDocument/documentSymbol',
          params: (uri: string) => ({ textDocument: { uri } }),
        }
      : { provider: 'workspaceSymbolProvider', method: 'workspace/symbol', params: () => ({ query }) }
  const found = await server.ask({ path: file, text }, request, signal)
  if (found === undefined)
    return errorResult(`${server.language.name}: its language server lists no symbols; use grep`)
  return rowsResult(symbolRows(found, { file, levels: most.levels }, options))
}

async function references(
  { server, file, text, args, signal }: Asked & { readonly args: JsonValue },
  options: CodeToolOptions,
): Promise<ToolResult> {
  const line = isJsonObject(args) ? args['line'] : undefined
  const name = textField(args, 'name') ?? ''
  const row = typeof line === 'number' ? text.split('\n')[line - 1] : undefined
  const character = row === undefined || name === '' ? -1 : wordIn(row, name)
  if (typeof line !== 'number' || character < 0)
    return errorResult(
      `${oneLine(name, 80) || 'the name'} does not stand in line ${String(line)} of ${options.show(file)}`,
    )
  const params = (uri: string) => ({
    textDocument: { uri },
    position: { line: line - 1, character },
    context: { includeDeclaration: true },
  })
  const request = { provider: 'referencesProvider', method: 'textDocument/references', params }
  const found = await server.ask({ path: file, text }, request, signal)
  if (found === undefined)
    return errorResult(`${server.language.name}: its language server finds no uses; use grep`)
  const places = Array.isArray(found) ? found.flatMap((one: JsonValue) => placeOf(one, options)) : []
  const texts = new Map<string, readonly string[]>()
  for (const { path: used } of places)
    if (!texts.has(used) && texts.size < most.rows)
      texts.set(used, ((await options.readText(used)) ?? '').split('\n'))
  return rowsResult(
    places.map(({ path: used, line: at }) => {
      const shown = oneLine(options.clean(texts.get(used)?.[at - 1] ?? ''), 160)
      return `${options.show(used)}:${at}: ${shown}`
    }),
  )
}

/** Finds a name as a word of its own, else anywhere. */
function wordIn(row: string, name: string): number {
  const isPart = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}_$]/u.test(letter)
  for (let at = row.indexOf(name); at >= 0; at = row.indexOf(name, at + 1))
    if (!isPart(row[at - 1]) && !isPart(row[at + name.length])) return at
  return row.indexOf(name)
}

function placeOf(
  value: JsonValue,
  { mayRead }: CodeToolOptions,
): readonly { readonly path: string; readonly line: number }[] {
  if (!isJsonObject(value)) return []
  const found = pathOfUri(value['uri'])
  const start = startOf(value['range'])
  return found === undefined || start === undefined || !mayRead(found)
    ? []
    : [{ path: found, line: start.line + 1 }]
}

/** Names the kinds of the protocol, which counts them from 1. */
const kinds =
  'file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enum_member struct event operator type_parameter'.split(
    ' ',
  )

/** Writes symbols, a row each: those of a file by their levels, those of the project with their files. */
function symbolRows(
  found: JsonValue,
  at: { readonly file: string; readonly levels: number },
  options: CodeToolOptions,
): readonly string[] {
  if (!Array.isArray(found)) return []
  return found.flatMap((one: JsonValue): readonly string[] => {
    if (!isJsonObject(one)) return []
    const { name, kind, children, containerName } = one
    const location = isJsonObject(one['location']) ? one['location'] : {}
    const used = pathOfUri(location['uri']) ?? at.file
    const start = startOf(one['selectionRange'] ?? one['range'] ?? location['range'])
    if (typeof name !== 'string' || !options.mayRead(used)) return []
    const word = typeof kind === 'number' ? (kinds[kind - 1] ?? 'symbol') : 'symbol'
    const inside = typeof containerName === 'string' && containerName !== '' ? ` in ${containerName}` : ''
    const place = `${options.show(used)}:${(start?.line ?? 0) + 1}`
    const row = `${place}: ${'  '.repeat(most.levels - at.levels)}${word} ${oneLine(options.clean(name + inside), 160)}`
    const below =
      children !== undefined && at.levels > 0
        ? symbolRows(children, { ...at, levels: at.levels - 1 }, options)
        : []
    return [row, ...below]
  })
}

function rowsResult(rows: readonly string[]): ToolResult {
  const more = rows.length - most.rows
  return textResult(
    [...rows.slice(0, most.rows), ...(more > 0 ? [`and ${more} more`] : [])].join('\n') || 'nothing found',
  )
}
