import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, run } from './run.js'
import { readRunning } from './running-tests.js'

const cache = join(root, 'node_modules', '.cache')

/** Most seconds that one of several pieces may take. */
const pieceSeconds = 600

/** Characters of a failure's reason to show above the output. */
const maxReason = 600

/**
 * Runs the tests of a project of `vitest.config.ts` once, for at most `seconds`. `shard`: which part of them, as `1/2`. Returns whether all
 * passed, how many there were, and their output with the failures at its head, or with the tests that still ran when the time was up.
 */
export async function runTests(project, { seconds, shard }) {
  const report = join(cache, 'tests.json')
  const running = join(cache, 'running-tests.txt')
  mkdirSync(cache, { recursive: true })
  rmSync(report, { force: true })
  writeFileSync(running, '')
  const reporters = ['default', 'json', './scripts/running-tests.js'].map((name) => `--reporter=${name}`)
  const part = shard === undefined ? [] : [`--shard=${shard}`]
  const command = [
    'vitest',
    'run',
    '--project',
    project,
    ...reporters,
    `--outputFile.json=${report}`,
    ...part,
  ]
  const { ok, output, isLate } = await run(command, { seconds, env: { RUNNING_TESTS: running } })
  const { counts, files } = readReport(report)
  if (isLate)
    return { ok, counts, output: `${output}\nthese tests were running:\n${readRunning(running).join('\n')}` }
  return { ok, counts, output: ok ? output : `${describeFailures(files)}\n${output}` }
}

/** Runs tests in pieces, as many as there is time for. */
export class TimedTests {
  /** Seconds of the longest piece, of any project. */
  #longest = 0

  /**
   * Runs the tests of a project in so many pieces, one after the other. Begins none that would end later than `seconds` after the start
   * of this process, if it takes as long as the longest before it. The first is another one each day. Returns what `runTests` does for
   * all of them, and the `share` of the pieces that ran, as `3/8`; `undefined`: all.
   */
  async run(project, { seconds, pieces }) {
    const today = Math.floor(Date.now() / 86_400_000)
    const whole = { ok: true, counts: { passed: 0, failed: 0, skipped: 0 }, output: '' }
    for (let done = 0; done < pieces; done++) {
      const begin = performance.now() / 1_000
      if (begin + this.#longest > seconds) return { ...whole, share: `${done}/${pieces}` }
      const shard = `${1 + ((today + done) % pieces)}/${pieces}`
      const { ok, counts, output } = await runTests(project, { seconds: pieceSeconds, shard })
      for (const kind of Object.keys(counts)) whole.counts[kind] += counts[kind]
      if (!ok) whole.output += output
      whole.ok &&= ok
      this.#longest = Math.max(this.#longest, performance.now() / 1_000 - begin)
    }
    return whole
  }
}

/** Reads the number of tests and the failed files; none if the run stopped before its report. */
function readReport(path) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
      readFileSync(path, 'utf8'),
    )
    return {
      counts: { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests },
      files: testResults.filter(({ status }) => status === 'failed'),
    }
  } catch {
    return { counts: { passed: 0, failed: 0, skipped: 0 }, files: [] }
  }
}

function describeFailures(files) {
  return files
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      const reasons = failed.map(({ fullName, failureMessages }) => ({
        title: fullName,
        reason: failureMessages.join('\n'),
      }))
      if (reasons.length === 0) reasons.push({ title: 'the file itself', reason: message })
      return reasons.map(
        ({ title, reason }) => `${relative(root, name)}: ${title}\n${reason.slice(0, maxReason)}`,
      )
    })
    .join('\n')
}
