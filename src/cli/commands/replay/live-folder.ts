import { ownAgent } from '../../../actor.ts'
import { describeVerdict } from '../../../agent/calls/audit-trail-facts.ts'
import type { AuditLog } from '../../../audit.ts'
import { isSurvivable } from '../../../error.ts'
import { followed } from '../../../files/real-path.ts'
import { filesOfTurns } from '../../../git/checkpoints/turn-files.ts'
import { isJsonObject, type JsonValue } from '../../../json-value.ts'
import { describeCall } from '../../../line/tool-line.ts'
import { isWithin, resolvePath } from '../../../machine/path.ts'
import type { ModePolicy } from '../../../permission/policy.ts'
import type { Verdict } from '../../../permission.ts'
import type { CallFileUse, CallRecord, RecordedCall } from '../../../replay/call-record.ts'
import { filesBefore, type KnownTurn } from '../../../replay/known-files.ts'
import type { RecordedTurn } from '../../../replay/recorded-turns.ts'
import { type Move, mapping, relocated } from '../../../replay/relocated.ts'
import type { LiveCalls } from '../../../replay/replaying-executor.ts'
import type { Session } from '../../../session.ts'
import type { Tool, ToolContext, ToolExecutor, ToolRun } from '../../../tool.ts'
import type { Machine } from '../../machine.ts'
import { self } from '../../wiring/run-actors.ts'
import { knownTool } from '../../wiring/tools/known-tools.ts'
import type { Toolset } from '../../wiring/tools/toolset.ts'
import { type CopiedFolder, type CopySource, openCopySource } from './copied-folder.ts'
import { fileUseOfTool } from './replayed-file-use.ts'

type GivenCall = RecordedCall & { readonly use: CallFileUse }

export interface LiveFolderOptions {
  readonly machine: Machine
  readonly session: Session
  readonly turns: readonly RecordedTurn[]
  readonly record: CallRecord
  readonly audit: AuditLog
  readonly signal: AbortSignal
  readonly tools: () => readonly Tool[]
  /** Wraps an executor in the rules on the folder itself: what they forbid there they forbid in the copy. */
  readonly guarded: (executor: ToolExecutor) => ToolExecutor
  /** Opens today's tools in the copy. `seen` are the results that the model got before. */
  readonly openToolset: (copy: CopiedFolder, seen: readonly RecordedCall[]) => Promise<Toolset>
  /** Takes the step that removes the copy. Called before the copy's tools are opened. */
  readonly onClose: (step: () => Promise<void>) => void
}

/** How the files at the end compare with those at the end of the record. */
export type FilesAtEnd =
  | { readonly type: 'same' }
  /** `from`: what the diff is against, as the recorded end may be unknown. */
  | { readonly type: 'diff'; readonly from: 'recorded_end' | 'start'; readonly diff: string }
  /** They could not be compared. */
  | { readonly type: 'unknown'; readonly reason: string }

interface OpenFolder {
  readonly copied: CopiedFolder
  readonly executor: ToolExecutor
  readonly policy: ModePolicy
  /** From the folder that the model names to the copy. */
  readonly move: Move
}

/** The copy in which calls really run. Made for the first of them, with the recorded changes up to then. */
export class LiveFolder implements LiveCalls {
  /** The turn that runs, counted from 0. */
  turn = 0
  /** Notes about the files, for the report. */
  readonly notes: string[] = []
  readonly #options: LiveFolderOptions
  readonly #given: GivenCall[] = []
  #repeated = 0
  #source: Promise<CopySource> | undefined
  #open: Promise<OpenFolder> | undefined
  #ready: Promise<OpenFolder> | undefined

  constructor(options: LiveFolderOptions) {
    this.#options = options
  }

  given(call: GivenCall): void {
    this.#given.push(call)
    this.#ready = undefined
  }

  run(name: string, args: JsonValue, context: ToolContext): ToolRun {
    // The rules on the copy decide about what those on the folder grant.
    const decided = async (verdict: Verdict) => {
      if (!verdict.granted) await context.decided?.(verdict)
    }
    const inCopy = () => this.#runInCopy(name, args, context)
    const { guarded, tools } = this.#options
    return guarded({ tools, execute: inCopy }).execute(name, args, { ...context, decided })
  }

  async *#runInCopy(name: string, args: JsonValue, context: ToolContext): ToolRun {
    const { executor } = await this.#prepare()
    return yield* executor.execute(name, args, context)
  }

  mayChange(name: string, { decision }: Verdict): boolean {
    return fileUseOfTool(knownTool(name)) === 'changes' && decision.changesNothing !== true
  }

  /** Compares the files with those at the end of the record. */
  async atEnd(): Promise<FilesAtEnd> {
    if (this.#options.record.isComplete) return { type: 'same' }
    try {
      return await this.#compare()
    } catch (error) {
      // Reports what the model said all the same.
      if (!isSurvivable(error)) throw error
      return { type: 'unknown', reason: error.message }
    }
  }

  async #compare(): Promise<FilesAtEnd> {
    const { turns } = this.#options
    const known = await this.#known()
    const { copied } = await this.#prepare()
    const end = filesBefore(known, turns.length)
    const diff = await copied.diff(end ?? copied.start)
    if (end !== undefined && diff === '') return { type: 'same' }
    return { type: 'diff', from: end === undefined ? 'start' : 'recorded_end', diff }
  }

  /** Opens the folder, and repeats the recorded calls that were given since. Calls at once share the work. */
  #prepare(): Promise<OpenFolder> {
    this.#ready ??= this.#catchUp()
    return this.#ready
  }

  async #catchUp(): Promise<OpenFolder> {
    this.#open ??= this.#begin()
    const open = await this.#open
    for (; this.#repeated < this.#given.length; this.#repeated++) {
      const call = this.#given[this.#repeated]
      if (call !== undefined && isRepeated(call, open)) await this.#repeat(call, open)
    }
    return open
  }

  /** Copies the files as they were before the latest turn for which that is known. */
  async #begin(): Promise<OpenFolder> {
    const { record, openToolset } = this.#options
    const source = await this.#openSource()
    const known = await this.#known()
    const latest = Math.min(this.turn, record.nextChangeTurn)
    const turns = Array.from({ length: latest + 1 }, (_, i) => latest - i)
    const from = turns.find((turn) => filesBefore(known, turn) !== undefined)
    const commit = from === undefined ? undefined : filesBefore(known, from)
    if (commit === undefined) this.notes.push('the files start as they are now: no earlier state was saved')
    const copied = await source.copy(commit)
    for (const path of copied.leftOut.slice(0, 5))
      this.notes.push(`not in the copy, too large or unreadable: ${path}`)
    const seen = this.#given.filter(({ turn }) => turn < (from ?? 0))
    this.#repeated = seen.length
    const { executor, policy } = await openToolset(copied, seen)
    const { session, machine } = this.#options
    // The folder may have moved since, and then the model names the one where it was.
    const isMoved = session.cwd !== undefined && session.cwd !== machine.cwd
    const move = isMoved ? { from: session.cwd ?? '', to: copied.machine.cwd } : copied.move
    return { copied, executor: relocated(executor, move), policy, move }
  }

  #openSource(): Promise<CopySource> {
    const open = async () => {
      const source = await openCopySource(this.#options.machine, this.#options.signal)
      this.#options.onClose(() => source.close())
      return source
    }
    this.#source ??= open()
    return this.#source
  }

  async #known(): Promise<readonly KnownTurn[]> {
    const { session, turns } = this.#options
    const { shadow } = await this.#openSource()
    const saved = await filesOfTurns(
      shadow,
      session.id,
      turns.map(({ message }) => message),
    )
    return turns.map(({ messages }, i) => ({
      saved: saved[i],
      changed: messages.some(
        (message) =>
          message.type === 'tool_result' &&
          isJsonObject(message.details) &&
          message.details['after'] !== undefined,
      ),
    }))
  }

  /** Makes a recorded call in the copy, as far as the rules allow it without a question. Edits in the copy need none. */
  async #repeat({ call, result }: GivenCall, { executor, policy }: OpenFolder): Promise<void> {
    const { audit, signal } = this.#options
    const { mode } = policy
    if (mode === 'default') policy.mode = 'accept-edits'
    try {
      const decided = async (verdict: Verdict) => {
        const decision = verdict.granted ? 'permission_granted' : 'permission_denied'
        const facts = { tool: call.name, repeats: result.id, ...describeVerdict(verdict) }
        audit.append({ decision, actor: ownAgent, audit: facts })
        await audit.sync()
      }
      const run = executor.execute(call.name, call.arguments, {
        callId: call.id,
        signal,
        actor: self,
        decided,
      })
      let step = await run.next()
      while (step.done !== true) step = await run.next()
      if (step.value.isError && !result.isError)
        this.notes.push(`not repeatable in the copy: ${describeCall(call.name, call.arguments)}`)
    } finally {
      policy.mode = mode
    }
  }
}

/** Whether the copy needs this call: it changed files, or the model has seen a file. An edit of a file elsewhere is not made twice. */
function isRepeated({ use, call }: GivenCall, { copied, move }: OpenFolder): boolean {
  const tool = knownTool(call.name)
  if (use === 'reads') return tool?.kind === 'read'
  if (use === 'none') return false
  const inCopy = (path: string) =>
    isWithin(followed(resolvePath(mapping(move)(path), copied.machine)), followed(copied.move.to))
  return (tool?.paths?.(call.arguments) ?? []).every(({ path }) => inCopy(path))
}
