import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, run } from './run.js'

const cache = join(root, 'node_modules', '.cache')

/** Characters of why one test failed that are shown above the whole output. */
const mostOfReason = 600

/**
 * Runs all tests. Gives their output, with what failed at its head, whether all held, and how many there were.
 *
 * With `again`, the files that failed are run once more, one after the other: a machine with other work can be too slow for a test
 * that waits for processes. What holds then counts as passed, and a note names it, to be mended.
 */
export async function runTests({ again }) {
  const first = await runVitest('tests.json', [])
  if (first.ok) return first
  const failures = describeFailures(first.files)
  const failed = { ...first, output: `${failures}\n${first.output}` }
  if (!again || first.files.length === 0) return failed
  const second = await runVitest('tests-again.json', [
    '--maxWorkers=1',
    ...first.files.map(({ name }) => relative(root, name)),
  ])
  if (!second.ok) return { ...failed, output: `${failed.output}\n${second.output}` }
  const { passed, failed: mended, skipped } = first.counts
  return {
    ...second,
    counts: { passed: passed + mended, failed: 0, skipped },
    note: `These tests failed, and held when their files were run alone:\n${failures}`,
  }
}

async function runVitest(name, args) {
  const report = join(cache, name)
  mkdirSync(cache, { recursive: true })
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return { ...(await run(['vitest', 'run', ...reporters, ...args])), ...readReport(report) }
}

/** How many tests there were and which files failed; none where the run did not get as far as a report. */
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
        ({ title, reason }) => `${relative(root, name)}: ${title}\n${reason.slice(0, mostOfReason)}`,
      )
    })
    .join('\n')
}
