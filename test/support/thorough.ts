import { describe, it } from 'vitest'

/** Whether the slow suite runs. It repeats each file that imports this one, with all its cases. */
const isThorough = process.env['PIPE_THOROUGH'] === '1'

/** Registers a test in the slow suite alone: it costs much, or is a rarer variant of a case that has a plain test. */
export function slowIt(title: string, test: () => void | Promise<void>): void {
  if (isThorough) it(title, test)
}

/** Registers a group of such tests. */
export function slowDescribe(title: string, tests: () => void): void {
  if (isThorough) describe(title, tests)
}

/** The size of a costly test: all of it in the slow suite. */
export function sized<T>(all: T, quick: T): T {
  return isThorough ? all : quick
}
