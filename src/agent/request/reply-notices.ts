import { type AssistantMessage, hasToolCalls } from '../../message.ts'
import { finishMeaning } from '../../reply/finish-word.ts'

/** Characters of a finish word that a notice quotes. */
const maxWord = 60

/** Returns what a user should know about a reply although it stands. */
export function replyNotices(reply: AssistantMessage): readonly string[] {
  return [strangeEnding(reply), writtenCall(reply) ?? lostCall(reply)].flatMap((notice) => notice ?? [])
}

/** Names a finish word that pipe does not know. */
function strangeEnding({ provider, rawStopReason }: AssistantMessage): string | undefined {
  if (rawStopReason === undefined || finishMeaning(rawStopReason) !== 'told') return undefined
  const word = JSON.stringify(rawStopReason.slice(0, maxWord))
  return `${provider} ended its reply with the reason ${word}, which pipe does not know: the answer may be incomplete`
}

/** Beginnings of calls as models write them when their server does not read them. */
const beginnings =
  /<tool_calls?>|<\|tool_calls?(?:_begin)?\|>|<function_calls?>|<(?:antml:)?invoke name=|<function=|\[TOOL_CALLS\]|<\uff5ctool\u2581calls?\u2581begin\uff5c>|<\|python_tag\|>/

/** Code of an answer, in which a call is an example. */
const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g

/** Says that the model wrote a call into its answer. Such a call never runs. */
function writtenCall(reply: AssistantMessage): string | undefined {
  if (hasToolCalls(reply)) return undefined
  const wrote = reply.content.some(
    (block) => block.type === 'text' && beginnings.test(block.text.replace(code, '')),
  )
  if (!wrote) return undefined
  return `${reply.provider} sent a tool call as text, which never runs: start the server with its parser for tool calls (${parsers}), or choose a model that it calls tools with`
}

/** Says that the server announced a call and sent none. */
function lostCall(reply: AssistantMessage): string | undefined {
  const { provider, stopReason, rawStopReason = '' } = reply
  if (stopReason !== 'end_turn' || finishMeaning(rawStopReason) !== 'tool_use') return undefined
  return `${provider} said that the model calls tools, and sent no call: the answer may be incomplete`
}

const parsers = '--jinja, --enable-auto-tool-choice with --tool-call-parser'
