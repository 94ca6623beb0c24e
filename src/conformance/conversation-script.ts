import { throwIfAborted, untilAborted } from '../error.ts'
import type { NewId } from '../id.ts'
import type { Provider } from '../provider.ts'
import { openStream } from '../stream.ts'
import { errorResult, type Tool, type ToolExecutor, textResult } from '../tool.ts'
import { timestamp } from './sample-messages.ts'

/** A reply of the scripted model: words, an error, a call of a scripted tool, or words that never end. */
export type ScriptedWords =
  | string
  | Error
  | { readonly calls: 'question' | 'pause' }
  | { readonly hangs: string }

/** The parts to open a conversation with. */
export interface ConversationParts {
  /** Says what the case needs, whatever the model's name is. */
  readonly provider: Provider
  /** `question` asks for words and returns them; `pause` has output, and returns once the case lets it. Both only read. */
  readonly tools: ToolExecutor
}

/** The parts of one case. */
export interface ConversationScript extends ConversationParts {
  /** Lets `pause` return. */
  release(): void
}

/** Makes a model that says these replies one after the other, and the two tools. */
export function conversationScript(replies: readonly ScriptedWords[], newId: NewId): ConversationScript {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let asked = 0
  const provider: Provider = {
    name: 'scripted',
    stream: (_, { signal }) => {
      const number = asked++
      const speaker = { id: newId.message(), timestamp, provider: 'scripted', model: 'script' }
      return openStream(
        async function* (closed) {
          const reply = replies[number] ?? 'There is no more to say.'
          if (reply instanceof Error) throw reply
          if (typeof reply === 'object' && 'calls' in reply) {
            yield { type: 'tool_call_begin', id: `call_${number}`, name: reply.calls }
            yield { type: 'tool_call_delta', id: `call_${number}`, delta: '{}' }
            return { stopReason: 'tool_use', usage }
          }
          const isEndless = typeof reply === 'object'
          yield { type: 'text_delta', id: 'block_0', delta: isEndless ? reply.hangs : reply }
          if (isEndless) await untilAborted(never, closed)
          return { stopReason: 'end_turn', usage }
        },
        speaker,
        signal,
      )
    },
  }
  return { provider, tools: scriptedTools(released, newId), release: () => release() }
}

const never = new Promise<never>(() => undefined)

const usage = { inputTokens: 10, outputTokens: 5 }

function scriptedTools(released: Promise<void>, newId: NewId): ToolExecutor {
  const common: Omit<Tool, 'name' | 'description'> = {
    parameters: { type: 'object' },
    capability: 'tool_read_file',
    readOnly: () => true,
  }
  const tools: readonly Tool[] = [
    { ...common, name: 'question', description: 'Asks the user.' },
    { ...common, name: 'pause', description: 'Waits.' },
  ]
  return {
    tools: () => tools,
    async *execute(name, _, { signal }) {
      throwIfAborted(signal)
      if (name === 'question') {
        const display = { title: 'Which way?' }
        const interaction = { id: newId.interaction(), kind: 'input', purpose: 'generic', display } as const
        const response = yield { type: 'interaction', interaction }
        return textResult(response?.inputValue ?? 'no answer')
      }
      if (name !== 'pause') return errorResult(`there is no tool ${name}`)
      yield { type: 'output', stream: 'stdout', chunk: 'waiting' }
      await untilAborted(released, signal)
      return textResult('waited')
    },
  }
}
