import { PipeError } from '../../../error.ts'
import type { TextLine } from '../../../files/reading/split-lines.ts'
import type { RunContext } from '../../run-context.ts'
import { openSharedTasks } from '../../wiring/tasks/open-task-database.ts'
import type { NamedLog } from './named-log.ts'

export interface SharedAudit extends Pick<RunContext, 'host' | 'signal'> {
  /** The database of tasks. */
  readonly url: string
}

/** Passes on the log in the database of tasks that a text names; returns `undefined` if there is none. Throws `input`. */
export async function withSharedLog<Result>(
  text: string,
  { host, signal, url }: SharedAudit,
  work: (log: NamedLog) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const { audits, sessions, shown, close } = openSharedTasks(host, url)
  try {
    const ids = await audits.find(text, { signal })
    const [session, second] = ids.filter((id, _, all) => id === text || !all.some((one) => one === text))
    if (session === undefined) return undefined
    if (second !== undefined)
      throw new PipeError('input', `several sessions begin with ${text}: ${ids.slice(0, 5).join(', ')}`)
    const log: NamedLog = {
      session,
      place: `session ${session} in ${shown}`,
      lines: () => linesOf(audits.lines(session, { signal })),
      sessions: await sessions(),
      isGrowing: () => audits.isGrowing(session, { signal }),
    }
    return { result: await work(log) }
  } finally {
    await close()
  }
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<TextLine, undefined, undefined> {
  let number = 0
  let start = 0
  for await (const text of texts) {
    const bytes = Buffer.from(text)
    number++
    yield { number, start, bytes, whole: true }
    start += bytes.length + 1
  }
}
