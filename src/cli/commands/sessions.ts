import { branchOf } from '../../branch.ts'
import { inCallOrder } from '../../call-order.ts'
import { encodeSession } from '../../json/encode.ts'
import { describeCall } from '../../line/tool-line.ts'
import type { Message } from '../../message.ts'
import { contextLength, isMark, textContent } from '../../message.ts'
import { tell } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import { visible } from '../../terminal/visible.ts'
import type { RunContext } from '../run-context.ts'
import { openSessions } from '../wiring/records.ts'
import { sessionsIn } from '../wiring/session-choice.ts'
import { SessionRows } from './session-rows.ts'
import { loadNamed } from './stored-session.ts'

/** Lists the sessions of this folder, newest first: one line each, or one JSON document. Reports unreadable sessions. */
export async function listSessions(context: RunContext): Promise<void> {
  const { host, signal } = context
  const store = openSessions(host)
  const rows = new SessionRows(context)
  for await (const summary of sessionsIn(host.cwd, { store, signal })) {
    if (summary.fault !== undefined) tell(host, summary.fault)
    if (summary.cwd !== undefined) rows.add(summary)
  }
  rows.end()
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
      const said = message.content.slice(contextLength(message))
      const text = textContent({ content: said })
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
