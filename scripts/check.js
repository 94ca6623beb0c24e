// Runs every check and prints a line per step. Stops at the first failure, or with `--all` only at the end.
// Each step has a time limit. The last line counts the tests; a step that fails without a failing test counts as one.
import { checkPackage } from './check-package.js'
import { run } from './run.js'
import { runTests } from './run-tests.js'

const isWhole = process.argv.includes('--all')

/**
 * Seconds after which only so many parts of the slow tests run, the latest first, so that all ends within 20 minutes; the other parts run
 * on the next days. Two cores of 2026 need 490 s to get there, and up to 900 s for all slow tests; slow ones twice as long.
 */
const late = [
  { seconds: 900, parts: 8 },
  { seconds: 600, parts: 4 },
  { seconds: 420, parts: 2 },
]

const steps = [
  { name: 'format', act: () => run(['biome', 'format', '.']) },
  { name: 'lint', act: () => run(['biome', 'lint', '--error-on-warnings', '.']) },
  { name: 'types', act: () => run(['tsc', '-p', '.']) },
  { name: 'page', act: () => run(['tsc', '-p', 'src/hono/page']) },
  { name: 'borders', act: () => run(['vitest', 'run', 'test/borders.test.ts']) },
  { name: 'unused', act: () => run(['knip', '--no-config-hints']) },
  { name: 'tests', act: () => runTests('test', { seconds: 1_800 }) },
  { name: 'slow', act: (shard) => runTests('test:slow', { seconds: 900, shard }), isSlow: true },
  { name: 'build', act: () => run(['node', 'scripts/build.js']) },
  { name: 'package', act: () => checkPackage() },
]

/** The part of the slow tests that runs so long after the start, as `1/2`; `undefined`: all. Another one each day. */
function partOfSlow(seconds) {
  const parts = late.find((stage) => seconds > stage.seconds)?.parts
  if (parts === undefined) return undefined
  return `${1 + (Math.floor(Date.now() / 86_400_000) % parts)}/${parts}`
}

async function main() {
  const tests = { passed: 0, failed: 0, skipped: 0 }
  let others = 0
  let title = ''
  for (const { name, act, isSlow } of steps) {
    const begin = performance.now()
    const part = isSlow ? partOfSlow(begin / 1000) : undefined
    if (part !== undefined) {
      title = `part-${part.replace('/', '-of-')}-of-the-slow-tests: `
      console.log(
        `late ${name.padEnd(8)} this machine is slow: only part ${part} runs; npm run test:slow runs all`,
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
  console.log(`${title}${tests.passed} passed, ${tests.failed + others} failed, ${tests.skipped} skipped`)
  process.exitCode = tests.failed + others === 0 ? 0 : 1
}

await main()
