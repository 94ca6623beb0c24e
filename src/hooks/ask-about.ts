import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import askPrompt from './ask-about.md'
import agentPrompt from './ask-agent.md'
import type { HookHandler } from './hook.ts'

/** Asks a model, `model` if one is named, and returns its reply. Throws `PipeError` if there is none, and `aborted`. */
export type AskModel = (
  question: { readonly systemPrompt: string; readonly text: string; readonly model?: string | undefined },
  options: { readonly signal: AbortSignal },
) => Promise<string>

/** Holds the ways to ask. */
export interface AskPorts {
  readonly ask: AskModel
  /** Asks one that can read files before it answers. */
  readonly askAgent: AskModel
}

/** Asks the model or the agent of a hook about an event. Returns its reply. Throws what the port throws. */
export function askAbout(
  { type, prompt, model }: Extract<HookHandler, { readonly type: 'prompt' | 'agent' }>,
  input: JsonObject,
  { ask, askAgent, signal }: AskPorts & { readonly signal: AbortSignal },
): Promise<string> {
  if (type === 'agent')
    return askAgent({ systemPrompt: agentPrompt, text: questionAbout(prompt, input), model }, { signal })
  return ask({ systemPrompt: askPrompt, text: questionAbout(prompt, input), model }, { signal })
}

/** Puts the event in the place that the question has for it, or at its end. */
export function questionAbout(prompt: string, input: JsonObject): string {
  const event = JSON.stringify(input)
  const place = '$ARGUMENTS'
  return prompt.includes(place) ? prompt.replaceAll(place, () => event) : `${prompt}\n\n${event}`
}

/** Reads what a model answers. `undefined` if it did not answer as asked. */
export function readVerdict(reply: string): { readonly ok: boolean; readonly reason?: string } | undefined {
  // Some models put a fence around it.
  const value = parseJson(/\{[\s\S]*\}/.exec(reply)?.[0] ?? '')
  if (!isJsonObject(value)) return undefined
  const { ok, reason } = value
  if (typeof ok !== 'boolean' || (reason !== undefined && typeof reason !== 'string')) return undefined
  return { ok, ...(typeof reason === 'string' && { reason }) }
}
