import { posix } from 'node:path'
import { type Import, type ModuleFacts, readModule } from './module-facts.ts'

/** A rule of the house that a line of a file breaks. */
export interface Violation {
  readonly file: string
  readonly line: number
  readonly rule: string
}

/** The name of the folder below `src`; the root itself is called `root`. */
type Room = string

const plumbing: readonly Room[] = ['http', 'process', 'files']
const frontEnds: readonly Room[] = ['ink', 'acp', 'hono']

/** Each package stands in its own room; one that is not listed has none yet. */
const packages: Readonly<Record<string, readonly Room[]>> = {
  '@anthropic-ai/sdk': ['anthropic'],
  '@vscode/ripgrep': ['builtin'],
  '@vscode/tree-sitter-wasm': ['shell'],
  'eventsource-parser': ['http'],
  execa: ['process'],
  'fast-glob': ['files'],
  'https-proxy-agent': ['http'],
  ink: ['ink'],
  'jsonc-parser': ['config'],
  marked: ['ink'],
  react: ['ink'],
  'string-width': ['ink'],
  turndown: ['builtin'],
  zod: ['root', 'config', 'json', 'builtin', 'replay'],
}

/** What only computes may be used anywhere. */
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

/** What acts on the world belongs to the rooms that are made for it. */
const actingBuiltins: Readonly<Record<string, readonly Room[]>> = {
  'node:child_process': ['process'],
  'node:dns': ['http'],
  'node:fs': ['files', 'process', 'json', 'config', 'git', 'sandbox', 'cli'],
  'node:http': ['http'],
  'node:https': ['http'],
  // What Node reads a pipe with is a socket.
  'node:net': ['http', 'process'],
  'node:os': [...plumbing, 'cli'],
  'node:readline': ['cli'],
  'node:timers': ['cli'],
  'node:tls': ['http'],
  'node:tty': ['cli'],
  'node:v8': ['shell'],
  'node:worker_threads': ['builtin', 'files'],
}

/** Below the composition root these are passed in: the environment, the clock, chance, the terminal. */
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

/** Checks a whole tree, given as source by path (`src/agent/turn.ts`). Pure. In the order of files and lines. */
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

type Finding = Omit<Violation, 'file'>

function shape(file: string, source: string): readonly Finding[] {
  const names = file.replace(/\.tsx?$/, '').split(/[/.-]/)
  const lines = source.split('\n').filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length
  return [
    ...names.filter((name) => emptyNames.test(name)).map((name) => ({ line: 1, rule: `is named ${name}` })),
    ...(lines > maxLines ? [{ line: 1, rule: `has ${lines} lines of code` }] : []),
  ]
}

function uses(file: string, facts: ModuleFacts): readonly Finding[] {
  const room = roomOf(file)
  const ambient = room === 'cli' ? [] : facts.globals.filter(({ name }) => passedIn.test(name))
  return [
    ...facts.imports.flatMap(({ specifier, line }) =>
      isAllowed(room, file, specifier) ? [] : [{ line, rule: `${room} may not import ${specifier}` }],
    ),
    ...ambient.map(({ name, line }) => ({ line, rule: `${name} is passed in below cli` })),
    ...facts.effects.map(({ name, line }) => ({ line, rule: `${name} at import` })),
  ]
}

function isAllowed(room: Room, file: string, specifier: string): boolean {
  if (specifier.startsWith('.')) return mayEnter(room, roomOf(resolve(file, specifier)))
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  if (!name.startsWith('node:')) return packages[name]?.includes(room) ?? false
  return pureBuiltins.includes(name) || (actingBuiltins[name]?.includes(room) ?? false)
}

function mayEnter(from: Room, to: Room): boolean {
  if (from === to || from === 'cli') return true
  if (to === 'cli' || from === 'root') return false
  if (to === 'root') return true
  if (plumbing.includes(to)) return from !== 'agent' && !plumbing.includes(from)
  return to === 'agent' && frontEnds.includes(from)
}

function roomOf(path: string): Room {
  const [, room, inside] = path.split('/')
  return room === undefined || inside === undefined ? 'root' : room
}

function resolve(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier)
}

/** The files that load with this one. Types may refer to each other in a circle: nothing is loaded for them. */
function edges(file: string, imports: readonly Import[]): readonly Import[] {
  return imports
    .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && !typeOnly)
    .map((one) => ({ ...one, specifier: resolve(file, one.specifier) }))
}

/** The imports of a file from which a way leads back to it. */
function circles(file: string, graph: ReadonlyMap<string, readonly Import[]>): readonly Finding[] {
  return (graph.get(file) ?? []).flatMap(({ specifier, line }) =>
    reaches(specifier, file, graph) ? [{ line, rule: `stands in a circle with ${specifier}` }] : [],
  )
}

function reaches(from: string, to: string, graph: ReadonlyMap<string, readonly Import[]>): boolean {
  const seen = new Set([from])
  for (const path of seen) for (const { specifier } of graph.get(path) ?? []) seen.add(specifier)
  return seen.has(to)
}
