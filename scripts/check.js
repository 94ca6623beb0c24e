// Everything that must hold, one line a step. Stops at the first step that fails; `--all` goes on to the last.
// The last line counts the tests; a step that fails without failing a test counts as one failed.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const cache = join(root, 'node_modules', '.cache')
const report = join(cache, 'tests.json')

const steps = [
  { name: 'format', command: ['biome', 'format', '.'] },
  { name: 'lint', command: ['biome', 'lint', '--error-on-warnings', '.'] },
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'borders', command: ['vitest', 'run', 'test/borders.test.ts'] },
  { name: 'unused', command: ['knip', '--no-config-hints'] },
  {
    name: 'tests',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  },
  { name: 'build', command: ['node', 'scripts/build.js'] },
]

/** Runs one command to its end. Gives its output and whether it went well. */
function run([file, ...args]) {
  return new Promise((resolve, reject) => {
    const path = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('error', reject)
    child.on('close', (code) => resolve({ output, ok: code === 0 }))
  })
}

/** How the tests went; none where they did not get as far as a report. */
function countTests() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(report, 'utf8'),
    )
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }
  }
}

async function main() {
  const goesOn = process.argv.includes('--all')
  mkdirSync(cache, { recursive: true })
  rmSync(report, { force: true })
  const failures = []
  for (const { name, command } of steps) {
    const begin = performance.now()
    const { output, ok } = await run(command)
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${seconds.padStart(5)} s`)
    if (ok) continue
    console.log(output)
    failures.push(name)
    if (!goesOn) break
  }
  const tests = countTests()
  const others = failures.filter((name) => name !== 'tests' || tests.failed === 0).length
  console.log(`${tests.passed} passed, ${tests.failed + others} failed, ${tests.skipped} skipped`)
  process.exitCode = failures.length === 0 ? 0 : 1
}

await main()
