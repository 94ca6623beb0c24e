import type { Clock } from '../clock.ts'
import { errorText, PipeError, throwIfAborted } from '../error.ts'
import { inTime } from '../process/in-time.ts'

/** Milliseconds that a pattern may take: it comes from a file of the project, and some never end. */
const mostMs = 1_000
/** Milliseconds of that in which it may hold up the program. Nearly all need much less, and a thread takes longer to start. */
const briefMs = 20

/** Characters of a name and of a pattern. */
const most = { name: 200, pattern: 1_000 }

/** A list of names, as most matchers are. They need no regular expression. */
const list = /^[\w, |-]*$/

/** Says what is wrong with a matcher. Compiling it runs nothing. */
export function patternFault(matcher: string): string | undefined {
  if (matcher.length > most.pattern) return `it has more than ${most.pattern} characters`
  if (matcher === '*' || list.test(matcher)) return undefined
  try {
    new RegExp(matcher)
    return undefined
  } catch (error) {
    return errorText(error)
  }
}

export interface MatchOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Whether a matcher is about something that has these names. Throws `tool` if its pattern does not end in time, and `aborted`. */
export async function isAbout(
  matcher: string,
  names: readonly string[],
  options: MatchOptions,
): Promise<boolean> {
  const pattern = matcher.trim()
  if (pattern === '' || pattern === '*') return true
  if (!list.test(pattern)) return matchesPattern(pattern, names, options)
  const listed = pattern.split(/[|,]/).map((one) => one.trim())
  return listed.some((one) => names.includes(one))
}

async function matchesPattern(
  pattern: string,
  names: readonly string[],
  options: MatchOptions,
): Promise<boolean> {
  const cut = names.map((name) => name.slice(0, most.name))
  const expression = new RegExp(pattern)
  const found = inTime(briefMs, () => cut.some((name) => expression.test(name)))
  return found?.result ?? matchesInThread(pattern, cut, options)
}

/** Tests in a thread of its own, which can be ended while the expression runs. */
async function matchesInThread(
  pattern: string,
  names: readonly string[],
  { clock, signal }: MatchOptions,
): Promise<boolean> {
  throwIfAborted(signal)
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const code = `(${testNames})(require('node:worker_threads'))`
  const worker = new Worker(code, { eval: true, env: {}, workerData: { pattern, names } })
  const late = new AbortController()
  let cancel = () => {}
  // A busy machine takes longer to start the thread than the pattern may take.
  worker.once('online', () => {
    cancel = clock.after(mostMs, () => late.abort())
  })
  const until = AbortSignal.any([signal, late.signal])
  try {
    return await new Promise<boolean>((resolve, reject) => {
      worker.once('message', (found) => resolve(found === true)).once('error', reject)
      until.addEventListener('abort', () => reject(new PipeError('tool', 'its matcher takes too long')))
    })
  } finally {
    await worker.terminate()
    cancel()
    throwIfAborted(signal)
  }
}

/** Runs in the thread from its source text, so it must not refer to anything outside itself. */
function testNames({ parentPort, workerData }: typeof import('node:worker_threads')): void {
  const { pattern, names }: { readonly pattern: string; readonly names: readonly string[] } = workerData
  const expression = new RegExp(pattern)
  parentPort?.postMessage(names.some((name) => expression.test(name)))
}
