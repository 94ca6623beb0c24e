// Runs every check and prints a line per step. Stops at the first failure, or with `--all` only at the end.
// Each step has a time limit. The last line counts the tests; a step that fails without a failing test counts as one.
import { checkPackage } from './check-package.js'
import { run } from './run.js'
import { runTests, TimedTests } from './run-tests.js'

const isWhole = process.argv.includes('--all')

const timed = new TimedTests()

const steps = [
  { name: 'format', act: () => run(['biome', 'format', '.']) },
  { name: 'lint', act: () => run(['biome', 'lint', '--error-on-warnings', '.']) },
  { name: 'types', act: () => run(['tsc', '-p', '.']) },
  { name: 'page', act: () => run(['tsc', '-p', 'src/hono/page']) },
  { name: 'borders', act: () => run(['vitest', 'run', 'test/borders.test.ts']) },
  { name: 'unused', act: () => run(['knip', '--no-config-hints']) },
  { name: 'parts', act: () => runTests('parts', { seconds: 900 }) },
  // Two cores of 2026 end the program's tests after 470 s, and half of the slow ones after 960 s. Slow machines take five times as long.
  { name: 'program', act: () => timed.run('program', { seconds: 960, pieces: 8 }) },
  { name: 'slow', act: () => timed.run('slow', { seconds: 1_080, pieces: 16 }) },
  { name: 'build', act: () => run(['node', 'scripts/build.js']) },
  { name: 'package', act: () => checkPackage() },
]

async function main() {
  const tests = { passed: 0, failed: 0, skipped: 0 }
  let others = 0
  const titles = []
  for (const { name, act } of steps) {
    const begin = performance.now()
    const { ok, output, counts, share } = await act()
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    const part =
      share === undefined ? '' : `: ${share} of its tests; \`vitest run --project ${name}\` runs all`
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${seconds.padStart(5)} s${part}`)
    if (share !== undefined) titles.push(`${share.replace('/', '-of-')}-of-the-${name}-tests`)
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
