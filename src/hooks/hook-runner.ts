import type { AuditLog } from '../audit.ts'
import { oneLine } from '../characters/one-line.ts'
import { hasCode, isSurvivable } from '../error.ts'
import type { JsonObject, JsonValue } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { JudgedCall } from '../permission.ts'
import { readExports } from './exported-variables.ts'
import { type Hook, type HookEvent, nameOf } from './hook.ts'
import { type Clean, failed, type HookAnswer, readAnswer } from './hook-answer.ts'
import { isAbout } from './hook-matcher.ts'
import { type HookPorts, type HookRun, runHook } from './run-hook.ts'

export interface HookRunnerOptions extends HookPorts {
  readonly hooks: readonly Hook[]
  /** Whether a call is one that a permission rule is about. */
  readonly isCovered: (rule: string, call: HookedCall) => Promise<boolean>
  /** The fields of every event, as they are now: session, folder, mode. */
  readonly about: () => Promise<JsonObject>
  readonly audit: Pick<AuditLog, 'append'>
  /** The actor whose turns they are. */
  readonly actor: string
  readonly clean: Clean
}

/** A call of a tool under its own names. */
export interface HookedCall {
  readonly tool: JudgedCall['tool']
  readonly args: JsonValue
}

/** Tells how a hook last ended. */
export interface HookEnd {
  /** `continue`, `block`, `allow`, `ask`, `stop` or `failed`. */
  readonly outcome: string
  readonly exitCode: number | null
  readonly durationMs: number
  /** The words for its failure. */
  readonly notices: readonly string[]
}

/** An event, and what its matchers are about. */
export interface Happening {
  readonly event: HookEvent
  /** The names that matchers are tried with. Default: every hook of the event runs. */
  readonly names?: readonly string[]
  /** The fields of this event. */
  readonly input: JsonObject
  /** The call that it is about. */
  readonly callId?: string
  readonly call?: HookedCall
  /** Hooks that do not run. Default: none. */
  readonly except?: readonly Hook[]
}

/** The answer of one hook. */
export interface Answered {
  readonly hook: Hook
  readonly answer: HookAnswer
}

/** Lists what hooks tell the user. */
export function noticesOf(answers: readonly Answered[]): readonly string[] {
  return answers.flatMap(({ answer }) => answer.notices)
}

/** Characters of what a hook says it does. */
const longestWork = 60

/** Runs the hooks of a conversation, those of one event side by side. Close it. */
export class HookRunner {
  readonly #options: HookRunnerOptions
  /** Those that run once, and did. */
  readonly #spent = new Set<Hook>()
  readonly #closing = new AbortController()
  readonly #background = new Set<Promise<void>>()
  readonly #ends = new Map<Hook, HookEnd>()
  /** Those that run for now, besides the usual ones. */
  readonly #lent = new Set<readonly Hook[]>()
  /** Those that run now and say what they do. */
  readonly #working = new Set<Hook>()
  #told: string[] = []
  /** Text for the model of hooks that nothing waited for. */
  #late: string[] = []

  constructor(options: HookRunnerOptions) {
    this.#options = options
  }

  /** All hooks, and how each last ended. */
  get ends(): readonly (readonly [Hook, HookEnd | undefined])[] {
    return this.#hooks.map((hook) => [hook, this.#ends.get(hook)])
  }

  /** Describes the hooks that something waits for now, in the words of their authors; `undefined` if none says. */
  get work(): string | undefined {
    const words = [...this.#working].map(({ status = '' }) =>
      oneLine(this.#options.clean(status), longestWork),
    )
    return words.length === 0 ? undefined : words.join(', ')
  }

  /** The hooks of an event. */
  hooksOf(event: HookEvent): readonly Hook[] {
    return this.#hooks.filter((hook) => hook.event === event)
  }

  /** Whether any hook is for this event. */
  has(event: HookEvent): boolean {
    return this.#hooks.some((hook) => hook.event === event)
  }

  /** Lets more hooks run until the returned function is called. */
  lend(hooks: readonly Hook[]): () => void {
    this.#lent.add(hooks)
    return () => {
      this.#lent.delete(hooks)
    }
  }

  get #hooks(): readonly Hook[] {
    return this.#lent.size === 0 ? this.#options.hooks : [...this.#options.hooks, ...[...this.#lent].flat()]
  }

  /** Runs the hooks of an event. Returns their answers in the order of the hooks. Throws `aborted`. */
  async run(happening: Happening, signal: AbortSignal): Promise<readonly Answered[]> {
    const { event, except = [] } = happening
    const until = AbortSignal.any([signal, this.#closing.signal])
    const hooks = this.#hooks.filter(
      (hook) => hook.event === event && !this.#spent.has(hook) && !except.includes(hook),
    )
    const answers = await Promise.allSettled(hooks.map((hook) => this.#ask(hook, happening, until)))
    return answers.flatMap((settled) => {
      if (settled.status === 'rejected') throw settled.reason
      if (settled.value !== undefined) this.#setVariables(settled.value)
      return settled.value ?? []
    })
  }

  /** Sets what a hook exports, in the order of the hooks and not of their ends. */
  #setVariables({ hook, answer }: Answered): void {
    const { exports } = this.#options
    if (answer.exports !== undefined && exports !== undefined)
      this.tell(exports.set(readExports(answer.exports, exports.env), nameOf(hook)))
  }

  /** Runs the hooks of an event that nothing waits for. Their failures are told later. */
  notify(happening: Happening): void {
    const work = this.run(happening, this.#closing.signal).then((answers) => this.tell(noticesOf(answers)))
    this.#keep(work)
  }

  /** Keeps sentences for the user until `takeTold`. */
  tell(sentences: readonly string[]): void {
    this.#told.push(...sentences)
  }

  /** Returns what the user was not told yet. */
  takeTold(): readonly string[] {
    return this.#told.splice(0)
  }

  /** Returns what the model was not told yet of hooks that nothing waited for. */
  takeLate(): readonly string[] {
    return this.#late.splice(0)
  }

  /** Ends the hooks that still run. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#background)
  }

  async #ask(hook: Hook, happening: Happening, signal: AbortSignal): Promise<Answered | undefined> {
    try {
      if (!(await this.#isMeant(hook, happening, signal))) return undefined
    } catch (error) {
      if (!isSurvivable(error)) throw error
      return { hook, answer: failed(hook, error.message) }
    }
    if (this.#spent.has(hook)) return undefined
    if (hook.once) this.#spent.add(hook)
    if (!hook.async) return { hook, answer: await this.#startShown(hook, happening, signal) }
    this.#keep(
      this.#start(hook, happening, this.#closing.signal).then((answer) => {
        const { notices, context } = answer
        this.tell(notices)
        this.#setVariables({ hook, answer })
        if (context !== undefined) this.#late.push(context)
      }),
    )
    return undefined
  }

  /** Whether a hook is about what happens: by its matcher, and by its condition on the call. */
  async #isMeant(hook: Hook, { names, call }: Happening, signal: AbortSignal): Promise<boolean> {
    const { clock, isCovered } = this.#options
    if (names !== undefined && !(await isAbout(hook.matcher, names, { clock, signal }))) return false
    return hook.condition === undefined || call === undefined || isCovered(hook.condition, call)
  }

  async #startShown(hook: Hook, happening: Happening, signal: AbortSignal): Promise<HookAnswer> {
    if (hook.status === undefined) return this.#start(hook, happening, signal)
    this.#working.add(hook)
    try {
      return await this.#start(hook, happening, signal)
    } finally {
      this.#working.delete(hook)
    }
  }

  async #start(hook: Hook, happening: Happening, signal: AbortSignal): Promise<HookAnswer> {
    const { about, clean } = this.#options
    const input = { ...(await about()), hook_event_name: hook.event, ...happening.input }
    const run = await runHook(hook, input, { ...this.#options, signal })
    const answer = { ...readAnswer(hook, run, clean), ...omitUndefined({ exports: run.exports }) }
    const { exitCode, durationMs } = run
    this.#ends.set(hook, { outcome: outcomeOf(answer), exitCode, durationMs, notices: answer.notices })
    this.#record(hook, { run, answer, callId: happening.callId })
    return answer
  }

  #record(
    hook: Hook,
    {
      run,
      answer,
      callId,
    }: { readonly run: HookRun; readonly answer: HookAnswer; readonly callId?: string | undefined },
  ): void {
    const { audit, actor } = this.#options
    const { exitCode, timedOut, durationMs } = run
    const { block, permission, input, output, context, stop } = answer
    audit.append({
      decision: 'hook_ran',
      actor,
      audit: {
        event: hook.event,
        command: nameOf(hook),
        source: hook.source,
        outcome: outcomeOf(answer),
        exit_code: exitCode,
        duration_ms: Math.round(durationMs),
        ...(timedOut && { timed_out: true }),
        ...omitUndefined({
          call_id: callId,
          reason: block ?? permission?.reason ?? stop,
          updated_input: input,
          updated_output: output?.text,
          additional_context: context,
        }),
      },
    })
  }

  /** Keeps work that nothing waits for until it ends, which `close` brings about. */
  #keep(work: Promise<void>): void {
    const kept = work.catch(onlyAborted).finally(() => this.#background.delete(kept))
    this.#background.add(kept)
  }
}

function onlyAborted(error: unknown): void {
  if (!hasCode(error, 'aborted')) throw error
}

function outcomeOf({ failed: isFailed, block, stop, permission }: HookAnswer): string {
  if (isFailed) return 'failed'
  if (block !== undefined) return 'block'
  return stop === undefined ? (permission?.behavior ?? 'continue') : 'stop'
}
