import type { Worker } from 'node:worker_threads'
import { PipeError } from '../../error.ts'

export interface ThreadTask {
  readonly source: string
  readonly flags: string
  readonly multiline: boolean
  readonly context: number
  readonly counts: boolean
  /** Stops searching a file after this many matches. */
  readonly maxMatches: number
  /** Characters kept on either side of a match. */
  readonly maxLine: number
}

/** The findings in one file. `lines` is empty if the task only counts. */
export interface ThreadFindings {
  readonly matches: number
  readonly lines: readonly ThreadLine[]
}

interface ThreadLine {
  readonly number: number
  /** The text before the first match. Empty if matches may span lines. */
  readonly before: string
  readonly rest: string
  readonly isMatch: boolean
}

/** Searches files one after the other in a thread, so that a runaway expression blocks nothing else. Close it. */
export interface SearchThread {
  /** Rejects with `aborted` as soon as the signal fires, even while the expression runs. */
  search(bytes: Uint8Array): Promise<ThreadFindings>
  close(): Promise<void>
}

export function openSearchThread(task: ThreadTask, signal: AbortSignal): SearchThread {
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const code = `(${searchInThread})(require('node:worker_threads'))`
  const worker = new Worker(code, { eval: true, env: {}, workerData: task })
  // The thread may fail before its first request, and an unhandled error ends the program.
  let failure: Error | undefined
  worker.on('error', (error) => {
    failure = error
  })
  return {
    search: async (bytes) => {
      if (failure !== undefined) throw searchError(failure)
      return ask(worker, bytes, signal)
    },
    close: async () => {
      await worker.terminate()
    },
  }
}

function ask(worker: Worker, bytes: Uint8Array, signal: AbortSignal): Promise<ThreadFindings> {
  const asked = new AbortController()
  return new Promise<ThreadFindings>((resolve, reject) => {
    const onAbort = () => reject(new PipeError('aborted', 'interrupted', { cause: signal.reason }))
    const onError = (cause: Error) => reject(searchError(cause))
    worker.once('message', resolve).on('error', onError)
    asked.signal.addEventListener('abort', () => worker.off('message', resolve).off('error', onError))
    signal.addEventListener('abort', onAbort, { signal: asked.signal })
    if (signal.aborted) onAbort()
    else worker.postMessage(bytes)
  }).finally(() => asked.abort())
}

function searchError(cause: Error): PipeError {
  return new PipeError('internal', `the search failed: ${cause.message}`, { cause })
}

/** Runs in the thread from its source text, so it must not refer to anything outside itself. */
function searchInThread({ parentPort, workerData }: typeof import('node:worker_threads')): void {
  const task: ThreadTask = workerData
  const expression = new RegExp(task.source, task.flags)

  function decode(bytes: Uint8Array): string {
    const [first, second] = bytes
    if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
    if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
    return new TextDecoder().decode(bytes)
  }

  /** Start and end of the next match at or after `from`. Ignores an empty match after the last line break. */
  function matchFrom(text: string, from: number): readonly [number, number] | undefined {
    expression.lastIndex = from
    const found = from > text.length ? null : expression.exec(text)
    if (found === null) return undefined
    const { index } = found
    if (index === text.length && (text === '' || text.endsWith('\n'))) return undefined
    return [index, index + found[0].length]
  }

  /** Returns the position from which to continue after a match. */
  function behind(text: string, [start, end]: readonly [number, number]): number {
    const character = text.codePointAt(start) ?? 0
    return end > start ? end : start + (character > 0xffff ? 2 : 1)
  }

  function countMatches(text: string): number {
    let count = 0
    for (let match = matchFrom(text, 0); match !== undefined; count++) {
      match = matchFrom(text, behind(text, match))
    }
    return count
  }

  /** Returns a function that finds the match in each line, called in order. `next` is the start of the next line. */
  function matcher(text: string): (start: number, end: number, next: number) => number | undefined {
    if (!task.multiline) return (start, end) => expression.exec(text.slice(start, end))?.index
    let match = matchFrom(text, 0)
    return (start, _end, next) => {
      while (match !== undefined && behind(text, match) <= start) match = matchFrom(text, behind(text, match))
      return match !== undefined && match[0] < next ? 0 : undefined
    }
  }

  function search(text: string): ThreadFindings {
    if (task.counts && task.multiline) return { matches: countMatches(text), lines: [] }
    const matchIn = matcher(text)
    const lines: ThreadLine[] = []
    let above: ThreadLine[] = []
    let [matches, number, showUpTo] = [0, 0, 0]
    for (let start = 0; start < text.length && (task.counts || matches < task.maxMatches); ) {
      const newline = text.indexOf('\n', start)
      const next = newline === -1 ? text.length + 1 : newline + 1
      const end = text[next - 2] === '\r' ? next - 2 : next - 1
      number++
      const at = matchIn(start, end, next)
      const isMatch = at !== undefined
      if (isMatch) matches++
      if (!task.counts) {
        const middle = start + (at ?? 0)
        const before = text.slice(Math.max(start, middle - task.maxLine), middle)
        const rest = text.slice(middle, Math.min(end, middle + task.maxLine))
        const line = { number, before, rest, isMatch }
        if (isMatch) {
          lines.push(...above, line)
          above = []
          showUpTo = number + task.context
        } else if (number <= showUpTo) lines.push(line)
        else if (task.context > 0) above = [...above, line].slice(-task.context)
      }
      start = next
    }
    return { matches, lines }
  }

  parentPort?.on('message', (bytes: Uint8Array) => {
    const text = decode(bytes)
    parentPort.postMessage(text.includes('\0') ? { matches: 0, lines: [] } : search(text))
  })
}
