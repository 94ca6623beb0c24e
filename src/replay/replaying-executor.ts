import type { PipeError } from '../error.ts'
import type { JsonValue } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Verdict } from '../permission.ts'
import type { Tool, ToolContext, ToolExecutor, ToolResult, ToolRun } from '../tool.ts'
import type { CallFileUse, CallRecord, RecordedCall } from './call-record.ts'
import { diverged, recordEnds } from './divergence.ts'
import { quotedStart } from './quoted.ts'
import { isDenied } from './recorded-denial.ts'

export interface ReplayingOptions {
  readonly tools: () => readonly Tool[]
  readonly record: CallRecord
  /** Wraps the executor of a recorded call in today's permission check, which treats its questions as answered. */
  readonly guarded: (executor: ToolExecutor) => ToolExecutor
  /** Whether a verdict needed such an answer. */
  readonly wasAnswered: (verdict: Verdict) => boolean
  /** Returns the result for arguments that the tool refuses today. */
  readonly refuse: (name: string, args: JsonValue, context: ToolContext) => Promise<ToolResult | undefined>
  /** Runs the calls that are not recorded. Absent: such a call throws `check`, and `aborted` if the recorded one was cut short. */
  readonly live: LiveCalls | undefined
}

/** Calls that really run. */
export interface LiveCalls {
  /** Notes a call whose recorded result was given, before the next one runs. */
  given(call: RecordedCall & { readonly use: CallFileUse }): void
  run(name: string, args: JsonValue, context: ToolContext): ToolRun
  /** Whether a call that runs now may change files. */
  mayChange(name: string, verdict: Verdict): boolean
}

/** Counts of calls by where their results came from. */
export interface CallCounts {
  readonly recorded: number
  readonly live: number
}

/** Creates an executor that gives equal calls their recorded results, and runs others. */
export function createReplayingExecutor(
  options: ReplayingOptions,
): ToolExecutor & { readonly counts: CallCounts } {
  const { tools, record, live } = options
  const counts = { recorded: 0, live: 0 }
  return {
    tools,
    counts,
    async *execute(name, args, context) {
      const found = record.take(name, args)
      if (found !== undefined) {
        const { result, isRecorded } = await recall(found, { name, args, context }, options)
        if (!isRecorded) return result
        counts.recorded++
        record.made(found)
        live?.given(found)
        return result
      }
      if (live === undefined) throw record.wasCut(name, args) ? recordEnds() : unexpected(name, args)
      const decided = async (verdict: Verdict) => {
        await context.decided?.(verdict)
        if (!verdict.granted) return
        counts.live++
        if (live.mayChange(name, verdict)) record.diverge()
      }
      return yield* live.run(name, args, { ...context, decided })
    },
  }
}

interface Call {
  readonly name: string
  readonly args: JsonValue
  readonly context: ToolContext
}

/** Returns the recorded result, or the one that today's rules or the tool's arguments give instead. */
async function recall(
  { result: { content, isError, details } }: RecordedCall,
  { name, args, context }: Call,
  { tools, guarded, wasAnswered, refuse, live }: ReplayingOptions,
): Promise<{ readonly result: ToolResult; readonly isRecorded: boolean }> {
  const recorded: ToolResult = { content, isError, ...omitUndefined({ details }) }
  let isRecorded = false
  const replaced: ToolExecutor = {
    tools,
    // biome-ignore lint/correctness/useYield: it has a result at once
    async *execute() {
      const refusal = await refuse(name, args, context)
      isRecorded = refusal === undefined
      return refusal ?? recorded
    },
  }
  const decided = async (verdict: Verdict) => {
    await context.decided?.(verdict)
    const isAllowedNow = verdict.granted && !wasAnswered(verdict)
    if (live === undefined && isDenied(recorded) && isAllowedNow) throw allowedNow(name, args)
  }
  const run = guarded(replaced).execute(name, args, { ...context, decided })
  const step = await run.next()
  if (step.done !== true) throw new Error('a recorded call asks a question')
  return { result: step.value, isRecorded }
}

function unexpected(name: string, args: JsonValue): PipeError {
  return diverged({
    expected: 'a recorded call',
    came: `the call ${name} ${quotedStart(JSON.stringify(args))}, which is not recorded`,
  })
}

function allowedNow(name: string, args: JsonValue): PipeError {
  const call = `${name} ${quotedStart(JSON.stringify(args))}`
  return diverged({ expected: `the denied call ${call}`, came: 'the same call, which the rules now allow' })
}
