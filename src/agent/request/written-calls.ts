import { type AssistantMessage, hasToolCalls } from '../../message.ts'

/** Beginnings of calls as models write them when their server does not read them. */
const beginnings =
  /<tool_calls?>|<\|tool_calls?(?:_begin)?\|>|<function_calls?>|<(?:antml:)?invoke name=|<function=|\[TOOL_CALLS\]|<\uff5ctool\u2581calls?\u2581begin\uff5c>|<\|python_tag\|>/

/** Code of an answer, in which a call is an example. */
const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g

/** Says that the model wrote a call into its answer. Such a call never runs. */
export function writtenCall(reply: AssistantMessage): string | undefined {
  if (hasToolCalls(reply)) return undefined
  const wrote = reply.content.some(
    (block) => block.type === 'text' && beginnings.test(block.text.replace(code, '')),
  )
  if (!wrote) return undefined
  return `${reply.provider} sent a tool call as text, which never runs: start the server with its parser for tool calls (${parsers}), or choose a model that it calls tools with`
}

const parsers = '--jinja, --enable-auto-tool-choice with --tool-call-parser'
