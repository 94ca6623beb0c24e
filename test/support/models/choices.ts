import { type Candidate, type ModelChoice, modelName } from '../../../src/engine.ts'
import { type ErrorCode, PipeError, type PipeErrorOptions } from '../../../src/error.ts'
import type { ModelInfo } from '../../../src/model.ts'
import { omitUndefined } from '../../../src/omit-undefined.ts'
import type { Provider, Request } from '../../../src/provider.ts'
import { type Adapter, openStream } from '../../../src/stream.ts'
import type { Usage } from '../../../src/usage.ts'
import { countingIds } from '../messages/ids.ts'
import { timestamp } from '../messages/messages.ts'

/** A model with its own replies, which records its requests. */
export interface ScriptedChoice extends ModelChoice {
  readonly requests: readonly Request[]
}

/** Creates the model `provider/model`: its n-th request gets the n-th adapter. */
export function choose(
  name: `${string}/${string}`,
  adapters: readonly Adapter[],
  known?: Partial<ModelInfo>,
): ScriptedChoice {
  const [provider = '', model = ''] = name.split('/')
  const ids = countingIds()
  const requests: Request[] = []
  const info = known && { provider, id: model, ...known }
  return {
    provider: {
      name: provider,
      stream: (request, { signal }) => {
        const adapter = adapters[requests.length]
        requests.push(request)
        if (adapter === undefined) throw new Error(`${name} was asked once more than it has replies`)
        const speaker = { id: ids.message(), timestamp, provider, model: request.model }
        return openStream(adapter, speaker, signal)
      },
    },
    model,
    requests,
    ...omitUndefined({ info }),
  }
}

/** Creates a provider for replies that no script can play: its n-th request gets the n-th adapter. */
export function adapted(...adapters: readonly Adapter[]): Provider {
  return choose('adapted/any', adapters).provider
}

/** Turns the choice into a candidate that is ready at once. */
export function candidate({ requests: _, ...choice }: ScriptedChoice): Candidate {
  return {
    name: modelName(choice),
    ...omitUndefined({ info: choice.info }),
    open: async () => choice,
  }
}

/** A candidate without a key. */
export function lockedCandidate(name: string, info?: ModelInfo): Candidate {
  return {
    name,
    ...omitUndefined({ info }),
    open: async () => {
      throw new PipeError('auth', 'there is no key')
    },
  }
}

/** A reply of one text. */
export function answers(words: string, usage: Usage = { inputTokens: 10, outputTokens: 5 }): Adapter {
  return async function* () {
    yield { type: 'text_delta', id: 'said', delta: words }
    return { stopReason: 'end_turn', usage }
  }
}

/** A reply with a call. */
export function uses(callId: string, tool: string): Adapter {
  return async function* () {
    yield { type: 'tool_call_begin', id: callId, name: tool }
    return { stopReason: 'tool_use', usage: { inputTokens: 10, outputTokens: 5 } }
  }
}

/** A reply that sends a word and its usage, then fails. */
export function failsWith(
  code: ErrorCode,
  { usage, ...options }: PipeErrorOptions & { readonly usage?: Usage } = {},
): Adapter {
  return async function* () {
    yield { type: 'text_delta', id: 'half', delta: 'Half' }
    if (usage !== undefined) yield { type: 'usage', usage }
    throw new PipeError(code, `the server said ${code}`, options)
  }
}
