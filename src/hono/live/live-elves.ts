import type { WireElf } from '../../json/served/elf-schema.ts'
import { isJsonObject, type JsonObject } from '../../json-value.ts'
import { type Message, toolCalls } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { text } from '../../wire/json-fields.ts'
import type { KnownElf } from './elf-list.ts'

/** Lists the elves of a session, oldest first: those that its messages tell of, and those that an open conversation knows. */
export function elvesOf(messages: readonly Message[], known: readonly KnownElf[]): readonly WireElf[] {
  const elves = new Map<string, WireElf>()
  const calls = new Map<string, JsonObject>()
  for (const message of messages)
    if (message.type === 'assistant') {
      for (const { id, arguments: args } of toolCalls(message)) if (isJsonObject(args)) calls.set(id, args)
    } else if (message.type === 'tool_result' && isJsonObject(message.details)) {
      const elf = endedElf(message.details, calls.get(message.toolCallId))
      if (elf !== undefined) elves.set(elf.name, elf)
    }
  for (const elf of known) elves.set(elf.name, encodeElf(elf))
  return [...elves.values()]
}

/** Reads the result of a call that ran an elf; `undefined` for any other result. */
function endedElf(details: JsonObject, call: JsonObject = {}): WireElf | undefined {
  const { elf: name, agent, model, session_id: sessionId } = details
  const prompt = text(call['prompt'])
  if (typeof name !== 'string' || prompt === '') return undefined
  const more = { agent: text(agent ?? call['agent']), model: text(model), session_id: text(sessionId) }
  const told = Object.entries(more).filter(([, value]) => value !== '')
  return { name, prompt, state: 'done', ...Object.fromEntries(told) }
}

function encodeElf({ name, elfId, agent, model, prompt, state, sessionId }: KnownElf): WireElf {
  return { name, elf_id: elfId, agent, model, prompt, state, ...omitUndefined({ session_id: sessionId }) }
}
