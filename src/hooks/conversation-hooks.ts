import { contextLength, isLoopMessage, spokenText, type UserMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import {
  type PromptHooks,
  PromptRefused,
  type Shortened,
  type Shortening,
  type TurnEnding,
  type TurnHooks,
} from '../turn-hooks.ts'
import type { FileChanges } from './file-changes.ts'
import { type Answered, type HookRunner, noticesOf } from './hook-runner.ts'

export interface ConversationHooksOptions {
  readonly hooks: HookRunner
  /** Says how the conversation began: `clear` after another one that the user left for it. */
  readonly began: 'startup' | 'resume' | 'clear'
  readonly changes: FileChanges
  /** Names it if it works for another one, whose user it does not know. */
  readonly elf?: ElfNames
}

/** Names an elf to hooks: itself and its agent. */
export type ElfNames = Readonly<Record<'agent_id' | 'agent_type', string>>

/** Times that hooks may let one turn go on: as many as in the agent for which most hooks are written. */
const mostProlonged = 8

/** Runs the hooks around the turns of one conversation. */
export class ConversationHooks implements PromptHooks, TurnHooks {
  readonly #options: ConversationHooksOptions
  #stop: string | undefined
  #isStarted = false
  /** Text of the hooks of the start that no message has carried yet. */
  readonly #context: string[] = []

  constructor(options: ConversationHooksOptions) {
    this.#options = options
  }

  /** Ends the turn after its calls, for this reason. */
  readonly stop = (reason: string): void => {
    this.#stop ??= reason
  }

  async admit(message: UserMessage, { signal }: { readonly signal: AbortSignal }): Promise<UserMessage> {
    if (isLoopMessage(message)) return message
    const { hooks, changes } = this.#options
    await this.#start(signal)
    await changes.look(signal)
    const input = { prompt: spokenText(message) }
    const answers = await hooks.run({ event: 'UserPromptSubmit', input }, signal)
    hooks.tell(noticesOf(answers))
    const refusing = answers.find(({ answer }) => answer.block !== undefined || answer.stop !== undefined)
    if (refusing !== undefined) {
      throw new PromptRefused(refusing.answer.block ?? refusing.answer.stop ?? '')
    }
    const earlier = [...this.#context.splice(0), ...hooks.takeLate()]
    return withContext(message, [...earlier, ...contextsOf(answers)])
  }

  async beginning(message: UserMessage, { signal }: { readonly signal: AbortSignal }): Promise<UserMessage> {
    const { hooks, elf } = this.#options
    if (elf === undefined || this.#isStarted) return message
    this.#isStarted = true
    const answers = await hooks.run({ event: 'SubagentStart', names: [elf.agent_type], input: elf }, signal)
    hooks.tell(noticesOf(answers))
    return withContext(message, contextsOf(answers))
  }

  takeNotices(): readonly string[] {
    return this.#options.hooks.takeTold()
  }

  takeStop(): string | undefined {
    const reason = this.#stop
    this.#stop = undefined
    return reason
  }

  async ending(
    { said, timesProlonged }: TurnEnding,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<string | undefined> {
    const { hooks, elf } = this.#options
    const event = elf === undefined ? 'Stop' : 'SubagentStop'
    if (!hooks.has(event)) return undefined
    const input = { stop_hook_active: timesProlonged > 0, last_assistant_message: said, ...elf }
    const names = elf && [elf.agent_type]
    const answers = await hooks.run({ event, input, ...omitUndefined({ names }) }, signal)
    hooks.tell(noticesOf(answers))
    // `continue: false` takes precedence over a reason to go on.
    if (answers.some(({ answer }) => answer.stop !== undefined)) return undefined
    // Text for the model at the end is a reason to go on, too: nothing else would bring it there.
    const reasons = new Set(
      answers.flatMap(({ answer: { block, context } }) => [block ?? [], context ?? []].flat()),
    )
    if (reasons.size === 0) return undefined
    if (timesProlonged >= mostProlonged) {
      hooks.tell([
        `a hook wants the turn to go on again; it ends, because it went on ${mostProlonged} times before`,
      ])
      return undefined
    }
    return `A hook of this run does not let the turn end yet:\n${[...reasons].join('\n')}`
  }

  async compacting(
    { trigger, keep }: Shortening,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<string | undefined> {
    const { hooks } = this.#options
    const input = { trigger, custom_instructions: keep }
    const answers = await hooks.run({ event: 'PreCompact', names: [trigger], input }, signal)
    hooks.tell(noticesOf(answers))
    const refusing = answers.find(({ answer }) => answer.block !== undefined || answer.stop !== undefined)
    return refusing?.answer.block ?? refusing?.answer.stop
  }

  async compacted(
    { trigger, summary }: Shortened,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<string | undefined> {
    const { hooks, elf } = this.#options
    const input = { trigger, compact_summary: summary }
    hooks.tell(noticesOf(await hooks.run({ event: 'PostCompact', names: [trigger], input }, signal)))
    if (elf !== undefined || summary === '') return undefined
    const texts = await this.#runStart('compact', signal)
    if (trigger === 'auto') return texts.length === 0 ? undefined : framed(texts)
    this.#context.push(...texts)
    return undefined
  }

  /** Runs the hooks of the end, if the conversation began, and ends those that still run. */
  async close(): Promise<void> {
    const { hooks } = this.#options
    // Nothing interrupts the end: the timeouts of its hooks bound it.
    const { signal } = new AbortController()
    try {
      if (this.#isStarted && this.#options.elf === undefined)
        await hooks.run({ event: 'SessionEnd', names: ['other'], input: { reason: 'other' } }, signal)
    } finally {
      await hooks.close()
    }
  }

  /** Runs the hooks of the start before the first message. */
  async #start(signal: AbortSignal): Promise<void> {
    if (this.#isStarted) return
    const texts = await this.#runStart(this.#options.began, signal)
    this.#isStarted = true
    this.#context.push(...texts)
  }

  /** Runs the hooks of a start. Returns their texts for the model. */
  async #runStart(source: string, signal: AbortSignal): Promise<readonly string[]> {
    const { hooks, changes } = this.#options
    const answers = await hooks.run({ event: 'SessionStart', names: [source], input: { source } }, signal)
    hooks.tell(
      answers.flatMap(({ answer: { notices, block } }) => [
        ...notices,
        ...(block === undefined ? [] : [block]),
      ]),
    )
    changes.watch(answers)
    return contextsOf(answers)
  }
}

function contextsOf(answers: readonly Answered[]): readonly string[] {
  return answers.flatMap(({ answer }) => answer.context ?? [])
}

/** Adds text of hooks to the context before the words of the user. */
function withContext(message: UserMessage, texts: readonly string[]): UserMessage {
  if (texts.length === 0) return message
  const before = contextLength(message)
  const added = { type: 'text', text: framed(texts) } as const
  return {
    ...message,
    content: [...message.content.slice(0, before), added, ...message.content.slice(before)],
    metadata: { ...message.metadata, context: String(before + 1) },
  }
}

function framed(texts: readonly string[]): string {
  return `<hook_context>\nPrograms that the user set up add this:\n${texts.join('\n')}\n</hook_context>`
}
