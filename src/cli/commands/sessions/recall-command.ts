import type {
  RecallExcerpt,
  RecalledSession,
  RecallLack,
  RecallQuery,
  RecallResult,
} from '../../../memory/recall.ts'
import { byWordsAlone, describeRecall, nothingFound, type Show } from '../../../memory/recalled.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import type { Host } from '../../host.ts'
import type { RunContext } from '../../run-context.ts'
import { openRedactor } from '../../wiring/audit/open-audit-log.ts'
import { openSessionRecall } from '../../wiring/memory/session-search.ts'
import { openSessions } from '../../wiring/session-records.ts'
import { SessionPrinter } from './session-rows.ts'

/** Sessions shown without `--limit`, and listed by `sessions search`. */
const usualLimit = 10
const mostListed = 50

/** Searches the messages of all sessions, or with `--here` of this folder's. Prints the best ones with an excerpt, or one JSON document. */
export async function recallWords(words: readonly string[], context: RunContext): Promise<void> {
  const { host, flags } = context
  const text = words.join(' ')
  const limit = flags.count('limit') ?? usualLimit
  const age = flags.age('since')
  const query = {
    words: text,
    limit,
    ...(flags.has('here') ? { cwd: host.cwd } : {}),
    ...(age === undefined ? {} : { since: host.clock.now() - age }),
  }
  await search(query, context, async (result) => {
    tellUnset(result.lack, context)
    if (flags.format === 'json') host.stdout.write(`${printableJson(encode(result))}\n`)
    else if (result.sessions.length === 0)
      printWarning(host, flags.has('here') ? await nothingHere(text, context) : nothingFound(text))
    else host.stdout.write(`${describeRecall(result, text, showFor(host))}\n`)
  })
}

/** Searches the sessions of this folder, and lists those found as `sessions list` does, the best first. */
export async function searchSessions(words: readonly string[], context: RunContext): Promise<void> {
  const { host, flags } = context
  const text = words.join(' ')
  const limit = flags.count('limit') ?? mostListed
  const rows = await SessionPrinter.open(context, { store: openSessions(host), withFolder: false })
  await search({ words: text, limit, cwd: host.cwd }, context, async ({ sessions }) => {
    for (const session of sessions) rows.add(session)
    rows.end()
    if (sessions.length === 0 && flags.format !== 'json') printWarning(host, await nothingHere(text, context))
  })
}

/** Says that this folder's sessions lack the words, and in a folder without sessions where there are others. */
async function nothingHere(text: string, { host, signal }: RunContext): Promise<string> {
  const { describeIfEmpty } = await import('../../wiring/session/sessions-elsewhere.ts')
  const elsewhere = await describeIfEmpty(openSessions(host), host, signal)
  return elsewhere === undefined ? nothingFound(text) : `${nothingFound(text)}; ${elsewhere}`
}

/** Searches, and reports the result before the index is tidied. */
async function search(
  query: RecallQuery,
  { host, flags, signal }: RunContext,
  report: (result: RecallResult) => Promise<void>,
): Promise<void> {
  const recall = await openSessionRecall(host, { redact: await openRedactor(host), tidies: false })
  try {
    const onProgress = (line: string) => {
      if (!flags.has('quiet')) printWarning(host, line)
    }
    const result = await recall.search(query, { signal, onProgress })
    if (result.lack?.isFailure === true && !flags.has('quiet')) printWarning(host, byWordsAlone(result.lack))
    await report(result)
  } finally {
    await recall.close()
  }
}

/** Says that no model for embeddings is set, to whoever watches. */
function tellUnset(lack: RecallLack | undefined, { host, flags }: RunContext): void {
  const isWatched = (host.stderr.isTerminal && !flags.has('quiet')) || flags.has('verbose')
  if (lack?.isFailure === false && isWatched) printWarning(host, byWordsAlone(lack))
}

/** Makes text safe to print, and on a terminal with colours the words that match bold. */
function showFor({ stdout, env }: Host): Show {
  const isBold = stdout.isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  return (text, isMatch) => (isMatch && isBold ? `\x1b[1m${printable(text)}\x1b[22m` : printable(text))
}

function encode({ sessions, total, ranking }: RecallResult): object {
  return { sessions: sessions.map(encodeSession), total, ranking }
}

function encodeSession({ id, createdAt, updatedAt, cwd, title, opening, excerpt }: RecalledSession): object {
  return {
    id,
    created_at: createdAt,
    updated_at: updatedAt,
    ...omitUndefined({ cwd, title, opening, excerpt: excerpt && encodeExcerpt(excerpt) }),
  }
}

function encodeExcerpt({ messageId, type, timestamp, text, matches }: RecallExcerpt): object {
  return { message_id: messageId, type, timestamp, text, matches }
}
