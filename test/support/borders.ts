import { posix } from 'node:path'
import { type Import, type ModuleFacts, readModule } from './module-facts.ts'

/** A rule that a line breaks. */
export interface Violation {
  readonly file: string
  readonly line: number
  readonly rule: string
}

/** A folder below `src`; `root` is `src` itself. */
type Folder = string

const plumbing: readonly Folder[] = ['http', 'process', 'files']
/** Rooms of the language of the program. Every folder may use them; they use the root and each other. */
const language: readonly Folder[] = [
  ...['canonical', 'characters', 'globs', 'history', 'machine', 'media', 'memory'],
  ...['ranking', 'records', 'redaction', 'reply', 'root', 'wire'],
]
/** Front ends share it, and those who give them what it names: prompts, files to complete, documents of a session. */
const shared: Folder = 'frontend'
const sharers: readonly Folder[] = ['attach', 'config', 'export', 'files', 'json']
/** Pure filters for text that reaches a screen. */
const screenText: Folder = 'terminal'
/** Folders in which type imports form no cycle either. */
const acyclic: readonly Folder[] = ['cli', 'line']
const frontEnds: readonly Folder[] = ['ink', 'line', 'acp', 'hono', 'mcp-server']
/** Folders whose wire is made of the documents of `json`: the server and its client. */
const speakers: readonly Folder[] = ['hono', 'attach']

/** Subfolders that each part of a folder may import. A part without a row may import all. */
const layers: Readonly<Record<string, readonly string[]>> = {
  // Lines are read through the `CommandReader` that `cli` passes in, which most runs never load.
  permission: ['permission/danger', 'permission/paths', 'permission/rules'],
  'permission/bash': [],
  'permission/programs': ['permission/bash'],
  'permission/line': ['permission/bash', 'permission/programs'],
  // Dangers are described when a question is asked.
  'permission/danger': [
    ...['permission', 'permission/bash', 'permission/programs'],
    ...['permission/paths', 'permission/rules'],
  ],
  'permission/paths': [],
  'permission/rules': ['permission/paths'],
}

/** Files that all parts of their folder may import. */
const vocabulary: readonly string[] = ['src/permission/command-line.ts']

/** Folders or parts of them that may import each package. Others may not be imported at all. */
const packages: Readonly<Record<string, readonly string[]>> = {
  '@agentclientprotocol/sdk': ['acp'],
  '@anthropic-ai/sdk': ['anthropic'],
  '@cfworker/json-schema': ['answers'],
  '@hono/node-server': ['hono'],
  '@modelcontextprotocol/client': ['mcp'],
  '@modelcontextprotocol/server': ['mcp-server'],
  '@vscode/ripgrep': ['builtin'],
  '@vscode/tree-sitter-wasm': ['permission'],
  diff: ['frontend'],
  // The page reads event streams with `fetch`, because `EventSource` sends no token.
  'eventsource-parser': ['http', 'hono/page'],
  execa: ['process'],
  'fast-glob': ['files'],
  hono: ['hono'],
  fuzzysort: ['ink'],
  'https-proxy-agent': ['http'],
  ink: ['ink'],
  'jsonc-parser': ['config'],
  lowlight: ['frontend'],
  // Markdown of models is drawn on a screen, or parsed for documents and the page.
  marked: ['frontend', 'ink'],
  pg: ['postgres'],
  react: ['ink', 'hono/page'],
  'react-dom': ['hono/page'],
  'smol-toml': ['config'],
  'string-width': ['ink'],
  turndown: ['builtin'],
  // The library checks what callers without types give it.
  zod: ['root', 'config', 'json', 'builtin', 'replay', 'hono', 'cli/library'],
}

/** Pure builtins, allowed anywhere. */
const pureBuiltins: readonly string[] = [
  'node:assert',
  'node:buffer',
  'node:crypto',
  'node:path',
  'node:stream',
  'node:string_decoder',
  'node:url',
  'node:util',
  'node:zlib',
]

/** Folders that may import each builtin with effects. */
const actingBuiltins: Readonly<Record<string, readonly Folder[]>> = {
  'node:child_process': ['process'],
  'node:dns': ['http'],
  'node:fs': [
    'files',
    'process',
    'json',
    'config',
    'git',
    'sandbox',
    'recall',
    'memories',
    'vectors',
    'npm',
    'plugins',
    'cli',
  ],
  // One is the client, the other the server.
  'node:http': ['http', 'hono'],
  'node:https': ['http'],
  // Node reads a pipe with a socket, and a server looks whether another one listens on its socket file.
  'node:net': ['http', 'process', 'hono'],
  'node:os': [...plumbing, 'cli'],
  'node:readline': ['cli', 'line'],
  'node:timers': ['cli'],
  'node:tls': ['http'],
  'node:tty': ['cli'],
  'node:v8': ['permission'],
  // Only it stops a pattern that takes too long.
  'node:vm': ['process'],
  'node:worker_threads': ['builtin', 'files', 'hooks'],
}

/** The package's entry, which composes like `cli` and which nothing imports. */
const entry = 'src/index.ts'

/** Globals that must be passed in below the composition root: environment, clock, randomness, terminal. */
const passedIn = new RegExp(
  [
    '^process\\.(env|cwd|argv|stdin|stdout|stderr|exit|exitCode|on|once|chdir|hrtime|uptime)$',
    '^(Date\\.now|Date|new Date\\(\\)|performance\\.now|Math\\.random)$',
    '^(setTimeout|setInterval|AbortSignal\\.timeout)$',
    '^console\\.\\w+$',
  ].join('|'),
)

const emptyNames = /^(utils?|helpers?|common|core|managers?|types)$/

const maxLines = 300
const maxFiles = 25

/** Folders of recorded data. */
const recorded: readonly string[] = ['test/golden/']

/** Checks a tree, given as source by path (`src/agent/turn/turn.ts`). Pure. Returns violations by file and line. */
export function checkBorders(sources: Readonly<Record<string, string>>): readonly Violation[] {
  const files = Object.entries(sources)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, source]): [string, string, ModuleFacts] => [path, source, readModule(path, source)])
  const graph = new Map(files.map(([path, , facts]) => [path, edges(path, facts.imports)]))
  return files.flatMap(([file, source, facts]) => {
    const found = [...shape(file, source), ...uses(file, facts), ...circles(file, graph)]
    return found.sort((a, b) => a.line - b.line).map(({ line, rule }) => ({ file, line, rule }))
  })
}

/** Finds folders with too many files, given all paths: `src/agent holds 26 files`. Those in its subfolders do not count. */
export function checkFolders(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    if (recorded.some((folder) => path.startsWith(folder))) continue
    const folder = posix.dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) =>
    count > maxFiles ? [`${folder} holds ${count} files, at most ${maxFiles}: give some a folder`] : [],
  )
}

type Finding = Omit<Violation, 'file'>

function shape(file: string, source: string): readonly Finding[] {
  const names = file.replace(/\.tsx?$/, '').split(/[/.-]/)
  const lines = source.trimEnd().split('\n').length
  return [
    ...names.filter((name) => emptyNames.test(name)).map((name) => ({ line: 1, rule: `is named ${name}` })),
    ...(lines > maxLines ? [{ line: 1, rule: `has ${lines} lines` }] : []),
  ]
}

function uses(file: string, facts: ModuleFacts): readonly Finding[] {
  const folder = folderOf(file)
  const ambient = folder === 'cli' ? [] : facts.globals.filter(({ name }) => passedIn.test(name))
  return [
    ...facts.imports.flatMap(({ specifier, line }) =>
      isAllowed(folder, file, specifier) ? [] : [{ line, rule: `${folder} may not import ${specifier}` }],
    ),
    ...ambient.map(({ name, line }) => ({ line, rule: `${name} is passed in below cli` })),
    ...facts.effects.map(({ name, line }) => ({ line, rule: `${name} at import` })),
  ]
}

function isAllowed(folder: Folder, file: string, specifier: string): boolean {
  if (specifier.startsWith('.')) {
    const target = resolve(file, specifier)
    if (file === entry || target === entry) return target !== entry
    return mayEnter(folder, folderOf(target)) && keepsLayers(file, target)
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  if (!name.startsWith('node:'))
    return packages[name]?.some((one) => one === folder || one === partOf(file)) ?? false
  return pureBuiltins.includes(name) || (actingBuiltins[name]?.includes(folder) ?? false)
}

function mayEnter(from: Folder, to: Folder): boolean {
  if (from === to || from === 'cli') return true
  if (language.includes(to)) return true
  if (to === 'cli' || language.includes(from) || from === shared) return false
  if (to === shared) return frontEnds.includes(from) || sharers.includes(from)
  if (plumbing.includes(to)) return from !== 'agent' && !plumbing.includes(from)
  if (to === 'json') return speakers.includes(from)
  return (to === 'agent' || to === screenText) && frontEnds.includes(from)
}

/** Whether an import within one folder follows its layers. */
function keepsLayers(from: string, to: string): boolean {
  if (folderOf(from) !== folderOf(to) || vocabulary.includes(to)) return true
  const [part, target] = [partOf(from), partOf(to)]
  return part === target || (layers[part]?.includes(target) ?? true)
}

/** `permission/bash` of `src/permission/bash/scanner.ts`; `permission` of a file directly in it. */
function partOf(path: string): string {
  return path.split('/').slice(1, -1).slice(0, 2).join('/')
}

function folderOf(path: string): Folder {
  const [, folder, inside] = path.split('/')
  return folder === undefined || inside === undefined ? 'root' : folder
}

function resolve(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier)
}

/** Returns the imports that load a file. Type imports load nothing, so they may form cycles, except in `acyclic` folders. */
function edges(file: string, imports: readonly Import[]): readonly Import[] {
  const countsTypes = acyclic.includes(folderOf(file))
  return imports
    .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && (countsTypes || !typeOnly))
    .map((one) => ({ ...one, specifier: resolve(file, one.specifier) }))
}

/** Finds the imports of a file that lead back to it. */
function circles(file: string, graph: ReadonlyMap<string, readonly Import[]>): readonly Finding[] {
  return (graph.get(file) ?? []).flatMap(({ specifier, line }) =>
    reaches(specifier, file, graph) ? [{ line, rule: `is in an import cycle with ${specifier}` }] : [],
  )
}

function reaches(from: string, to: string, graph: ReadonlyMap<string, readonly Import[]>): boolean {
  const seen = new Set([from])
  for (const path of seen) for (const { specifier } of graph.get(path) ?? []) seen.add(specifier)
  return seen.has(to)
}
