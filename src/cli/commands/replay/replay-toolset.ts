import { withoutNotes } from '../../../agent/calls/answer-calls.ts'
import { underOwnNames } from '../../../builtin/own-names.ts'
import type { JsonValue } from '../../../json-value.ts'
import { guard } from '../../../permission/guard.ts'
import type { PermissionPolicy } from '../../../permission.ts'
import { CallRecord, openCalls, recordedCalls } from '../../../replay/call-record.ts'
import type { RecordedTurn } from '../../../replay/recorded-turns.ts'
import { type Move, mapping, relocated } from '../../../replay/relocated.ts'
import { type CallCounts, createReplayingExecutor } from '../../../replay/replaying-executor.ts'
import type { Session } from '../../../session.ts'
import type { ToolContext, ToolExecutor, ToolResult } from '../../../tool.ts'
import { movedSettings } from '../../wiring/moved-settings.ts'
import { openToolset, type Toolset } from '../../wiring/tools/toolset.ts'
import { LiveFolder } from './live-folder.ts'
import { fileUseOf, wasInterrupted } from './replayed-file-use.ts'

export interface ReplayToolsetOptions {
  readonly session: Session
  readonly turns: readonly RecordedTurn[]
  /** Runs no call. */
  readonly isOffline: boolean
}

/** The tools of a replay, once they are open. */
export interface ReplayTools {
  readonly counts: CallCounts
  /** Absent if no call runs. */
  readonly live: LiveFolder | undefined
}

/** Creates a function that opens the tools of a replay in place of the folder's own, and passes them to `onOpen`. */
export function replayToolset(
  { session, turns, isOffline }: ReplayToolsetOptions,
  onOpen: (tools: ReplayTools) => void,
): typeof openToolset {
  return async (context, parts) => {
    const { children: _, ...alone } = context
    const { machine, loaded, closing, signal } = context
    const today = await openToolset(context, parts)
    const tools = () => today.executor.tools().map(({ preview: _, ...tool }) => tool)
    const calls = recordedCalls(turns)
      .filter(({ result }) => isOffline || !wasInterrupted(result))
      .map(({ result, ...call }) => ({
        ...call,
        result: { ...result, content: withoutNotes(result.content) },
      }))
    const { policy } = today
    const uses = await Promise.all(calls.map((call) => fileUseOf(call, { tools: tools(), policy })))
    const record = new CallRecord(
      calls.map((call, i) => ({ ...call, use: uses[i] ?? 'none' })),
      openCalls(turns),
    )
    const here = { from: session.cwd ?? machine.cwd, to: machine.cwd }
    const guardedBy = (rules: PermissionPolicy) => (executor: ToolExecutor) =>
      underOwnNames(relocated(guard(executor, { policy: rules, newId: machine.newId, onAsk: 'deny' }), here))
    const live = isOffline
      ? undefined
      : new LiveFolder({
          machine,
          session,
          turns,
          record,
          signal,
          tools,
          guarded: guardedBy(onlyRules(policy)),
          audit: parts.records.audit,
          onClose: (step) => closing.add(step),
          openToolset: (copy, seen) =>
            openToolset(
              {
                ...alone,
                machine: copy.machine,
                at: copy.machine,
                loaded: movedSettings(loaded, copy.move, { home: machine.home, mover: 'pipe replay' }),
                parts: { ...context.parts, mayRead: mayReadOriginal(today, copy.move) },
              },
              {
                ...parts,
                records: {
                  ...parts.records,
                  id: undefined,
                  earlier: { ...session, messages: seen.map(({ result }) => result) },
                },
              },
            ),
        })
    const executor = createReplayingExecutor({
      tools,
      record,
      live,
      guarded: guardedBy(answeredByRecord(policy)),
      wasAnswered: ({ decision }) => decision.source === 'session',
      refuse: (name, args, context) => refuse(today, { name, args, context }),
    })
    onOpen({ counts: executor.counts, live })
    // Only a recorded turn ends by itself, so a model that repeats itself must be stopped in others.
    return { ...today, executor, attended: isOffline }
  }
}

/** Wraps a policy for calls whose results are recorded. Nothing runs, so what was answered once needs no new answer. */
function answeredByRecord(policy: PermissionPolicy): PermissionPolicy {
  return {
    ...policy,
    judge: async (call) => {
      const decision = await policy.judge(call)
      if (decision.behavior === 'deny') return decision
      const asked = decision.behavior === 'ask' ? { source: 'session' as const } : {}
      return {
        ...decision,
        ...asked,
        behavior: 'allow',
        reason: 'not run: its recorded result is used',
      }
    },
  }
}

/** Wraps a policy for calls that are judged again in the copy: only what a rule says about the original counts. */
function onlyRules(policy: PermissionPolicy): PermissionPolicy {
  return {
    ...policy,
    judge: async (call) => {
      const decision = await policy.judge(call)
      const isAskedByRule = decision.behavior === 'ask' && decision.rule !== undefined
      return decision.behavior === 'deny' || isAskedByRule ? decision : { ...decision, behavior: 'allow' }
    },
  }
}

/** Returns whether the rules on the original allow the model to see a file of the copy. */
function mayReadOriginal({ mayRead }: Toolset, { from, to }: Move): (path: string) => boolean {
  const back = mapping({ from: to, to: from })
  return (path) => mayRead(back(path))
}

interface RecordedUse {
  readonly name: string
  readonly args: JsonValue
  readonly context: ToolContext
}

/** Returns the result that a call has today without running: its tool is gone, or refuses the arguments. */
async function refuse(
  { executor }: Pick<Toolset, 'executor'>,
  { name, args, context }: RecordedUse,
): Promise<ToolResult | undefined> {
  const tool = executor.tools().find((one) => one.name === name)
  return tool === undefined ? resultOf(executor, { name, args, context }) : tool.refuse?.(args)
}

async function resultOf(executor: ToolExecutor, { name, args, context }: RecordedUse): Promise<ToolResult> {
  const run = executor.execute(name, args, context)
  let step = await run.next()
  while (step.done !== true) step = await run.next()
  return step.value
}
