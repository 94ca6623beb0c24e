import type { LocalConversation } from '../conversation.ts'
import { askAboutPlan, bypassQuestion, endsWithPlan, planVerdict } from '../frontend/mode-questions.ts'
import type { SlashCommand } from '../frontend/slash/parsed-slash-command.ts'
import type { Outputs } from '../terminal/output.ts'
import { type ChatContext, runCommand } from './chat-command.ts'
import { writeNote } from './chat-notes.ts'
import { type AskLine, putQuestion } from './line-question.ts'
import type { TypedLines } from './typed-lines.ts'

/** A conversation whose mode may change. */
export interface ModeContext extends ChatContext {
  /** Conversations whose user said yes to the mode `bypass`. */
  readonly unasked: WeakSet<LocalConversation>
}

/** Whether a command is to be tried. The first time that it sets `bypass`, the user is asked, unless that would be refused anyway. */
export async function isModeMeant(
  command: SlashCommand | undefined,
  { conversation, unasked }: ModeContext,
  ask: AskLine,
  signal: AbortSignal,
): Promise<boolean> {
  if (command?.type !== 'mode' || command.mode !== 'bypass') return true
  const { conversation: open, mode } = conversation.view()
  if (conversation.api(signal).modeRefusal(command.mode) !== undefined) return true
  if (mode === 'bypass' || unasked.has(open)) return true
  const { title, description = '' } = bypassQuestion.display
  const answer = await ask(`\n${title}\nCalls run without a question. ${description} [y/N] `, signal)
  const isMeant = /^y(es)?$/i.test(answer?.trim() ?? '')
  if (isMeant) unasked.add(open)
  return isMeant
}

/** Asks about the plan that a turn in plan mode has ended with. Returns the message to send next, if the answer is one. */
export async function decideOnPlan(
  chat: ChatContext & Outputs & { readonly typed: TypedLines; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const { conversation, typed, signal } = chat
  const { conversation: open, mode } = conversation.view()
  if (signal.aborted || mode !== 'plan' || !endsWithPlan(open.messages.at(-1))) return undefined
  const { modeRefusal } = conversation.api(signal)
  const question = askAboutPlan((wanted) => modeRefusal(wanted) === undefined)
  if (question === undefined) return undefined
  const response = await putQuestion(question, typed.ask, signal)
  if (response.cancelled === true) return undefined
  const verdict = planVerdict(response)
  if (verdict.mode !== undefined)
    writeNote(await runCommand({ type: 'mode', mode: verdict.mode }, chat, signal), chat)
  return verdict.text
}
