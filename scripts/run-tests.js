import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, run } from './run.js'
import { readRunning } from './running-tests.js'

const cache = join(root, 'node_modules', '.cache')

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
