import { isMark } from '../../agent/history-mark.ts'
import { branchOf } from '../../branch.ts'
import { inCallOrder } from '../../call-order.ts'
import { encodeSession } from '../../json/encode.ts'
import { describeCall } from '../../line/tool-line.ts'
import type { Message } from '../../message.ts'
import { spokenText, textContent } from '../../message.ts'
import { tell } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import { visible } from '../../terminal/visible.ts'
import type { RunContext } from '../run-context.ts'
import { openSessions } from '../wiring/records.ts'
import { sessionsIn } from '../wiring/session-choice.ts'
import { JsonList } from './json-list.ts'
import { encodeRow, openRows } from './session-row.ts'
import { loadNamed } from './stored-session.ts'

/** Lists the sessions of this folder or of all, newest first: one line each, or one JSON document. Reports unreadable sessions. */
export async function listSessions(context: RunContext): Promise<void> {
  const { host, flags, signal } = context
  const limit = flags.count('limit') ?? Number.POSITIVE_INFINITY
  const store = openSessions(host)
  const withFolder = flags.has('all')
  const listed = flags.format === 'json' ? new JsonList(host.stdout, 'sessions') : undefined
  const format = listed === undefined ? await openRows(context, { store, withFolder }) : undefined
  let count = 0
  for await (const summary of withFolder ? store.list({ signal }) : sessionsIn(host.cwd, { store, signal })) {
    if (summary.fault !== undefined) tell(host, summary.fault)
    if (summary.cwd === undefined && !withFolder) continue
    if (format !== undefined) host.stdout.write(`${format(summary)}\n`)
    else listed?.add(encodeRow(summary))
    if (++count >= limit) break
  }
  listed?.end()
  if (count === 0 && host.stderr.isTerminal)
    tell(host, 'no sessions here; pipe sessions --all lists all folders')
}

/** Shows the current branch of a session as text, or the whole session as its file holds it. */
export async function showSession(id: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  const session = await loadNamed(id, context)
  if (flags.format === 'json') {
    host.stdout.write(`${printableJson(encodeSession(session))}\n`)
    return
  }
  for (const message of inCallOrder(branchOf(session))) host.stdout.write(`${printable(asText(message))}\n`)
}

function asText(message: Message): string {
  switch (message.type) {
    case 'user': {
      const text = spokenText(message)
      return isMark(message) ? `[${text}]\n` : `> ${text.replaceAll('\n', '\n> ')}\n`
    }
    case 'assistant':
      return message.content
        .flatMap((block) => {
          if (block.type === 'text') return [`${block.text}\n`]
          return block.type === 'tool_call' ? [`• ${visible(describeCall(block.name, block.arguments))}`] : []
        })
        .join('\n')
    case 'tool_result':
      return `  ${message.isError ? '✗' : '✓'} ${textContent(message).trimEnd().replaceAll('\n', '\n    ')}\n`
  }
}
