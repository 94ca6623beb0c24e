import { isJsonObject, type JsonValue } from '../../json-value.ts'
import { diffRows } from '../../text/diff-rows.ts'
import type { EndedCall } from './call.ts'
import { denialOf } from './denial.ts'

/** Facts of the running turn, which its last row tells. */
export interface TurnFacts {
  /** Monotonic start time. */
  readonly since: number
  /** Cost of the conversation before it, in US dollars. */
  readonly costBefore: number
  /** Paths of the files that its calls have changed. */
  readonly files: ReadonlySet<string>
  readonly added: number
  readonly removed: number
  /** Whether its last test run passed. Absent: it ran none. */
  readonly isTested?: boolean
}

/** The place in a line where a command begins: its settings come first. */
const begins = String.raw`(?:^|[;&|(\n])\s*(?:\w+=\S* )*`
/** Commands that run tests. */
const runners = [
  String.raw`(?:npm|pnpm|yarn|bun)(?: run)? t(?:est)?(?::\S+)?`,
  String.raw`node(?: --?\S+(?: [\w./@][\w./@-]*)?)*? --test`,
  '(?:npx |pnpm |yarn |bunx )?(?:vitest|jest|mocha|ava|playwright test)',
  'deno test',
  '(?:python3? -m )?(?:pytest|unittest)',
  'tox',
  'cargo (?:test|nextest)',
  '(?:go|dotnet|mix|swift) test',
  String.raw`(?:\./)?(?:gradlew?|mvnw?) (?:\S+ )*?test`,
  '(?:bundle exec )?(?:rspec|rake test)',
  String.raw`(?:\./)?(?:vendor/bin/)?phpunit`,
  String.raw`make (?:\S+ )*?(?:test|check)`,
  'ctest',
]
const testRun = new RegExp(String.raw`${begins}(?:${runners.join('|')})(?=\s|$|[;&|)])`)

/** Whether a command runs tests. */
export function isTestRun(command: string): boolean {
  return testRun.test(command.slice(0, 2_000))
}

/** Begins to count the facts of a turn. */
export function beginFacts(since: number, costBefore: number): TurnFacts {
  return { since, costBefore, files: new Set(), added: 0, removed: 0 }
}

/** Counts an ended call. */
export function countCall(facts: TurnFacts, call: EndedCall): TurnFacts {
  const { name, arguments: args, details, isError } = call
  if (name === 'bash') return countCommand(facts, call)
  const diff = fieldOf(details, 'diff')
  if (isError || diff === undefined) return facts
  const rows = diffRows(diff)
  const path = fieldOf(details, 'path') ?? fieldOf(args, 'path') ?? ''
  return {
    ...facts,
    files: facts.files.has(path) ? facts.files : new Set([...facts.files, path]),
    added: facts.added + rows.filter(({ mark }) => mark === '+').length,
    removed: facts.removed + rows.filter(({ mark }) => mark === '-').length,
  }
}

/** One that did not run, or that still runs in the background, tells nothing. */
function countCommand(facts: TurnFacts, call: EndedCall): TurnFacts {
  const isOver = denialOf(call) === undefined && fieldOf(call.details, 'process') === undefined
  const command = fieldOf(call.arguments, 'command') ?? ''
  return isOver && isTestRun(command) ? { ...facts, isTested: !call.isError } : facts
}

function fieldOf(value: JsonValue | undefined, name: string): string | undefined {
  const field = isJsonObject(value) ? value[name] : undefined
  return typeof field === 'string' ? field : undefined
}
