// Runs every check and prints a line per step. Stops at the first failure, or with `--all` only at the end.
// Each step has a time limit. The last line counts the tests; a step that fails without a failing test counts as one.
import { checkPackage } from './check-package.js'
import { run } from './run.js'
import { runTests } from './run-tests.js'

const isWhole = process.argv.includes('--all')

/**
 * Seconds after which a step runs only so many parts of its tests, the latest first, so that all ends within 20 minutes; the other parts
 * run on the next days. Two cores of 2026 need 170 s to get to the program and 430 s to the slow tests, which take up to 900 s more.
 * Machines with costly page faults need three times as long for everything.
 */
const late = {
  program: [
    { seconds: 600, parts: 4 },
    { seconds: 400, parts: 2 },
  ],
  slow: [
    { seconds: 900, parts: 16 },
    { seconds: 700, parts: 8 },
    { seconds: 550, parts: 4 },
    { seconds: 420, parts: 2 },
  ],
}

const steps = [
  { name: 'format', act: () => run(['biome', 'format', '.']) },
  { name: 'lint', act: () => run(['biome', 'lint', '--error-on-warnings', '.']) },
  { name: 'types', act: () => run(['tsc', '-p', '.']) },
  { name: 'page', act: () => run(['tsc', '-p', 'src/hono/page']) },
  { name: 'borders', act: () => run(['vitest', 'run', 'test/borders.test.ts']) },
  { name: 'unused', act: () => run(['knip', '--no-config-hints']) },
  { name: 'parts', act: () => runTests('parts', { seconds: 900 }) },
  { name: 'program', act: (shard) => runTests('program', { seconds: 900, shard }) },
  { name: 'slow', act: (shard) => runTests('slow', { seconds: 900, shard }) },
  { name: 'build', act: () => run(['node', 'scripts/build.js']) },
  { name: 'package', act: () => checkPackage() },
]

/** The part of a step's tests that runs so long after the start, as `1/2`; `undefined`: all. Another one each day. */
function partOf(name, seconds) {
  const parts = late[name]?.find((stage) => seconds > stage.seconds)?.parts
  if (parts === undefined) return undefined
  return `${1 + (Math.floor(Date.now() / 86_400_000) % parts)}/${parts}`
}

async function main() {
  const tests = { passed: 0, failed: 0, skipped: 0 }
  let others = 0
  const titles = []
  for (const { name, act } of steps) {
    const begin = performance.now()
    const part = partOf(name, begin / 1000)
    if (part !== undefined) {
      titles.push(`part-${part.replace('/', '-of-')}-of-the-${name}-tests`)
      console.log(
        `late ${name.padEnd(8)} this machine is slow: only part ${part} runs; vitest run --project ${name} runs all`,
      )
    }
    const { ok, output, counts } = await act(part)
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${seconds.padStart(5)} s`)
    for (const kind of Object.keys(counts ?? {})) tests[kind] += counts[kind]
    if (ok) continue
    console.log(output)
    if ((counts?.failed ?? 0) === 0) others += 1
    if (!isWhole) break
  }
  const title = titles.length === 0 ? '' : `${titles.join(',')}: `
  console.log(`${title}${tests.passed} passed, ${tests.failed + others} failed, ${tests.skipped} skipped`)
  process.exitCode = tests.failed + others === 0 ? 0 : 1
}

await main()
