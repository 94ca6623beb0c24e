import type { Clock } from '../../clock.ts'
import { hasCode, type PipeError } from '../../error.ts'
import { signalExitCodes } from '../../frontend/ending-signal.ts'
import { describeRun, type RunMoment } from '../../frontend/words/run-summary.ts'
import { printWarning } from '../../terminal/output.ts'
import { readChoices, readToolLimits } from '../choices.ts'
import type { RunContext } from '../run-context.ts'
import type { Choices } from '../wiring/run-choices.ts'
import type { Wired } from '../wiring/wired.ts'
import { wire } from '../wiring/wiring.ts'
import { openChildren } from './child-conversation.ts'
import { ConversationHolder } from './conversation-holder.ts'
import { chooseEarlier, type SessionPicker } from './message/earlier-session.ts'
import { importHint } from './screen/import-hint.ts'
import type { StartResult } from './screen/open-first-run.ts'

/** A front end of conversations. */
export interface FrontEnd {
  /** Lets the user choose a session for `-r` without an id. */
  readonly pick: SessionPicker
  /** Asks how to begin if no model is usable. Default: the error is reported. */
  readonly begin?: (error: PipeError) => Promise<StartResult>
  /** Runs a conversation. Returns the session to resume, if it has messages. */
  readonly run: (conversation: ConversationHolder) => Promise<string | undefined>
}

/** Opens a conversation, and closes it when the front end is done. Returns the exit code. */
export async function converse(context: RunContext, { pick, begin, run }: FrontEnd): Promise<number> {
  const { host, flags, interruption } = context
  const exitCode = (other: number) =>
    interruption.cause === undefined ? other : signalExitCodes[interruption.cause]
  const choices = readChoices(flags, true)
  const session = await chooseEarlier(choices.session, pick, context)
  if (session === undefined) return exitCode(signalExitCodes.SIGINT)
  const chosen = { ...choices, ...readToolLimits(flags), session }
  const opened = await open({ ...chosen, mayGuessModel: begin === undefined }, context, begin)
  if ('exitCode' in opened) return exitCode(opened.exitCode)
  const { wired, ...options } = opened
  const hints = await importHint(host)
  const conversation = new ConversationHolder(host, { ...options, files: flags.all('file'), hints }, wired)
  try {
    const begun = momentOf(conversation, host.clock)
    const resumable = await run(conversation)
    if (resumable !== undefined) {
      const facts = describeRun(begun, momentOf(conversation, host.clock))
      printWarning(host, `resume with: pipe -r ${resumable} · ${facts}`)
    }
    return exitCode(0)
  } finally {
    await conversation.close()
  }
}

function momentOf(holder: ConversationHolder, clock: Clock): RunMoment {
  const { conversation, sessionId } = holder.view()
  const { messages, costUsd } = conversation
  // The conversation adds to its list.
  return { at: clock.monotonic(), sessionId, messages: [...messages], undone: holder.undone, costUsd }
}

interface Opened {
  readonly wired: Wired
  readonly choices: Choices
}

/** Opens the parts of a conversation. Asks how to begin as long as no model is usable. */
async function open(
  choices: Choices,
  context: RunContext,
  begin: FrontEnd['begin'],
): Promise<Opened | { readonly exitCode: number }> {
  const { host, signal } = context
  try {
    return { wired: await wire({ machine: host, choices, signal, children: openChildren }), choices }
  } catch (error) {
    if (begin === undefined || !hasCode(error, 'auth')) throw error
    const result = await begin(error)
    return 'exitCode' in result ? result : open({ ...choices, ...result }, context, begin)
  }
}
