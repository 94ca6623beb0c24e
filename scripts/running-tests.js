import { appendFileSync, readFileSync } from 'node:fs'

/** Writes a line when a test begins and when it ends, so that what still runs is known after the end of all. */
export default class RunningTests {
  #path = process.env.RUNNING_TESTS

  onTestCaseReady(test) {
    this.#note('+', test)
  }

  onTestCaseResult(test) {
    this.#note('-', test)
  }

  #note(mark, { module, fullName }) {
    if (this.#path !== undefined)
      appendFileSync(this.#path, `${mark}${module.relativeModuleId}: ${fullName}\n`)
  }
}

/** Lists the tests that had begun and not ended. */
export function readRunning(path) {
  const running = new Set()
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line.startsWith('+')) running.add(line.slice(1))
    else running.delete(line.slice(1))
  }
  return [...running]
}
