import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const shared = (name: string, given: string | undefined) => {
  const path = resolve(given ?? `../shared/${name}`)
  return existsSync(path) ? path : ''
}

/** Returns the part of a short time in which this process had no core, although it wanted one. */
function stolenShare(): number {
  const begin = performance.now()
  let [last, lost] = [begin, 0]
  while (last - begin < 300) {
    const now = performance.now()
    if (now - last > 2) lost += now - last
    last = now
  }
  return lost / (last - begin)
}

// Vitest reads this file once for each project. All of them must come to the same answer.
process.env['PIPE_TESTS_CROWDED'] ??= stolenShare() > 0.4 ? 'yes' : 'no'
/** On a machine without a core to spare, tests side by side only take time from each other, and all wait longer. */
const isCrowded = process.env['PIPE_TESTS_CROWDED'] === 'yes'
const patience = isCrowded ? 4 : 1

/** Bytes of a worker with what its tests start. */
const workerBytes = 600_000_000

/** Returns how many tests wait beside each other: at least `least`, and no more than memory holds. */
function workers(least: number): number {
  const most = Math.ceil(totalmem() / workerBytes)
  return isCrowded ? 1 : Math.min(Math.max(least, Math.ceil(availableParallelism() / 2)), most)
}

/** Tests of the built program. */
const program = ['test/e2e/**/*.test.ts', 'test/golden/*.test.ts']
/** Soaks, kill loops, and properties with costly runs. */
const slow = 'test/**/*.slow.test.ts'

/** Lists the test files with cases that only the slow suite runs. */
function thoroughFiles(): readonly string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
    .filter((path) => readFileSync(path, 'utf8').includes('/support/thorough.ts'))
}

export default defineConfig({
  plugins: [
    {
      name: 'prompt-text',
      transform: (source, id) =>
        id.endsWith('.md') ? `export default ${JSON.stringify(source)}` : undefined,
    },
  ],
  test: {
    // Tests wait for states, not for time. Only a test that hangs reaches these limits, on a busy machine too.
    testTimeout: 180_000 * patience,
    hookTimeout: 180_000 * patience,
    expect: { poll: { timeout: 60_000 * patience, interval: 20 } },
    // They sleep for half of their time: for processes, disks, and questions that settle. Eight fill two cores.
    maxWorkers: workers(8),
    env: {
      PIPE_FIXTURES: shared('fixtures', process.env['PIPE_FIXTURES']),
      PIPE_CASES: shared('cases', process.env['PIPE_CASES']),
      PIPE_SEEDS: shared('seeds', process.env['PIPE_SEEDS']),
      // Ink draws no live rows where it is set. The build replaces that look.
      CI: 'false',
    },
    // No module holds state, so the files of a worker share what they import: half the time.
    isolate: false,
    // Saves a sixth of a second run of all parts, and half of a run of one file.
    experimental: { fsModuleCache: true },
    projects: [
      { extends: true, test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: [...program, slow] } },
      {
        extends: true,
        test: {
          name: 'program',
          include: program,
          exclude: [slow],
          globalSetup: 'test/support/programs/build.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          // They have more to do, and must leave the program the time that its limits count on. A number of its own needs a group of its own.
          maxWorkers: workers(6),
          sequence: { groupOrder: 1 },
          include: [slow, ...thoroughFiles()],
          env: { PIPE_THOROUGH: '1' },
          globalSetup: 'test/support/programs/build.ts',
        },
      },
    ],
  },
})
