import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, run } from './run.js'

const cache = join(root, 'node_modules', '.cache')

/** Characters of a failure's reason to show above the output. */
const maxReason = 600

/**
 * Runs the tests of an npm script once. Returns whether all passed, how many there were, and their output with the failures at
 * its head.
 */
export async function runTests(script) {
  const report = join(cache, 'tests.json')
  mkdirSync(cache, { recursive: true })
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { ok, output } = await run(['npm', 'run', script, '--', ...reporters])
  const { counts, files } = readReport(report)
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
