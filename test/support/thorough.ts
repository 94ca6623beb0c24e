import { describe, it } from 'vitest'

/** Whether the slow suite runs. It repeats the cases of `slowIt` and `sizedIt`, not the plain ones. */
const isThorough = process.env['PIPE_THOROUGH'] === '1'

/** Registers a test, or a table of tests, in `npm test` alone. A file imports it as `it` when it also has cases of the slow suite. */
export const quickIt: typeof it = isThorough ? unregistered(it) : it

/** Registers a group of such tests alone: Vitest fails a group that is empty in the slow suite. */
export const quickDescribe: typeof describe = isThorough ? unregistered(describe) : describe

/** Registers a test in both suites, because its size differs. */
export const sizedIt = it

/** Registers a test in the slow suite alone: it costs much, or is a rarer variant of a case that has a plain test. */
export function slowIt(title: string, test: () => void | Promise<void>): void {
  if (isThorough) it(title, test)
}

/** Registers a group of such tests. Those in it are `slowIt` where `it` is `quickIt`. */
export function slowDescribe(title: string, tests: () => void): void {
  if (isThorough) describe(title, tests)
}

/** The size of a costly test: all of it in the slow suite. */
export function sized<T>(all: T, quick: T): T {
  return isThorough ? all : quick
}

/** Takes all calls of an interface, and of what hangs on it (`each`, `skipIf`), without an effect. */
function unregistered<Api extends object>(api: Api): Api {
  const none: Api = new Proxy(api, { apply: () => none, get: () => none })
  return none
}
