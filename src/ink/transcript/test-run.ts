import type { EndedCall } from './call.ts'

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

/** Characters of a command and of its output that are read. Runners sum up at the end. */
const longestCommand = 2_000
const longestOutput = 4_000

/** The verdict of a command on the tests that it ran. */
export type TestVerdict = 'passed' | 'failed' | 'unknown'

/**
 * Returns how the tests of a command went, `undefined` if it runs none. Its exit code counts where nothing around the runner can hide or
 * cause it; elsewhere the counts that runners print do. A doubt is `unknown`.
 */
export function testVerdict(command: string, { isError, text }: EndedCall): TestVerdict | undefined {
  // A quoted text holds no operators.
  const plain = command.slice(0, longestCommand).replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '""')
  const run = testRun.exec(plain)
  if (run === null) return undefined
  const before = plain.slice(0, run.index + 1)
  const operators = operatorsIn(plain.slice(run.index + run[0].length))
  const counted = countedVerdict(text.slice(-longestOutput))
  if (isError) return operators.length === 0 && isPreparation(before) ? 'failed' : counted
  if (isHidden(before, operators)) return counted
  return counted === 'failed' ? 'unknown' : 'passed'
}

/** Lists what joins the rest of a line to its beginning. Redirections are none of it. */
function operatorsIn(rest: string): readonly string[] {
  const line = rest.replace(/&>>?\s*\S+|\d*>&\d|\d*[<>]+\s*[^\s;&|]+/g, ' ').replace(/[\s;)]+$/, '')
  return line.match(/&&|\|\||\|&?|;|\n|&/g) ?? []
}

/** Whether the exit code of a line may be 0 although the runner failed in it. */
function isHidden(before: string, operators: readonly string[]): boolean {
  const isStrict = /\bset -\w*o pipefail\b/.test(before)
  return /\$\($|`/.test(before) || operators.some((one) => one !== '&&' && !(isStrict && one === '|'))
}

/** Whether what comes before the runner only goes to a folder or sets the shell, and hardly fails. */
function isPreparation(before: string): boolean {
  return /^\s*(?:(?:cd|set|export) [^;&|\n]*(?:&&?|;|\n)\s*)*[(;&\n\w"]?$/.test(before)
}

/** Counts in the summaries of runners: `2 failed`, `1 failing`, `3 failures`, `failures=1`, `Failed: 1`, `# fail 1`, `FAILED. 1 passed`. */
const failures =
  /\b(\d+) (?:tests? )?(?:failed|failing|failures?|fail)\b|\b(?:fail(?:ed|ures?)?|errors)[:= ]+(\d+)/gi
const passes = /\b(\d+)%? (?:tests? )?(?:passed|passing|pass)\b|\bpass(?:ed)?[:= ]+(\d+)/gi
const noFailures =
  /\b[1-9]\d* (?:examples?|tests?|runs?),[^\n]*\b0 failures\b|\btests run: [1-9]\d*, failures: 0\b/i
/** Words of a failed and of a passed run, from runners that count otherwise. */
const failedWords = /^\s*(?:FAIL\b|--- FAIL|FAILED\b|FAILURES!|BUILD FAIL|not ok\b)/m
const passedWords = /^\s*(?:ok\s+\S+\s+(?:[\d.]+m?s|\(cached\))|OK\b|BUILD SUCCESS|test result: ok)/m

function countedVerdict(output: string): TestVerdict {
  if (sum(output, failures) > 0 || failedWords.test(output)) return 'failed'
  const isGood = sum(output, passes) > 0 || noFailures.test(output) || passedWords.test(output)
  return isGood ? 'passed' : 'unknown'
}

function sum(output: string, counts: RegExp): number {
  return [...output.matchAll(counts)].reduce((total, [, before, after]) => total + Number(before ?? after), 0)
}
