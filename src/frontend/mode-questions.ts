import { readInteractionId } from '../id.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import { type Message, textContent } from '../message.ts'
import type { PermissionMode } from '../permission.ts'

const step = /^\s*(?:[-*+]|\d+[.)])\s+\S/gm

/** Whether a message ends a turn with a plan: a list of steps. An answer to a question in plan mode has none. */
export function endsWithPlan(message: Message | undefined): boolean {
  if (message?.type !== 'assistant' || message.stopReason !== 'end_turn') return false
  return (textContent(message).match(step)?.length ?? 0) > 1
}

/** Asks what becomes of the plan that a turn in plan mode ended with. */
export const planQuestion: Interaction = {
  id: readInteractionId('ui_carryOutPlan'),
  kind: 'select',
  purpose: 'confirm_risky_action',
  display: { title: 'Carry out this plan?' },
  options: [
    { id: 'yes', label: 'Yes', style: 'primary' },
    { id: 'accept_edits', label: 'Yes, and accept edits' },
    { id: 'no', label: 'No', style: 'danger', isDefault: true },
  ],
}

/** Asks that with the modes that can be set; `undefined` if the plan cannot be carried out here. */
export function askAboutPlan(canSet: (mode: PermissionMode) => boolean): Interaction | undefined {
  if (!canSet('default')) return undefined
  const { options = [] } = planQuestion
  return canSet('accept-edits')
    ? planQuestion
    : { ...planQuestion, options: options.filter(({ id }) => id !== 'accept_edits') }
}

/** The mode to go on in, and the message to send. Absent: neither changes. */
export interface PlanVerdict {
  readonly mode?: PermissionMode
  readonly text?: string
}

const goAhead = 'Carry out the plan.'

/** Returns what an answer to `planQuestion` asks for. */
export function planVerdict({ selectedOptionId, comment = '' }: InteractionResponse): PlanVerdict {
  if (selectedOptionId === 'yes') return { mode: 'default', text: goAhead }
  if (selectedOptionId === 'accept_edits') return { mode: 'accept-edits', text: goAhead }
  return comment === '' ? {} : { text: comment }
}

/** Asks whether the mode `bypass` is meant. */
export const bypassQuestion: Interaction = {
  id: readInteractionId('ui_enterBypass0'),
  kind: 'confirm',
  purpose: 'confirm_risky_action',
  display: {
    title: 'Switch to bypass mode?',
    description:
      'Deny and ask rules still hold, and removals that could not be undone are still asked about.',
    dangers: [{ text: 'calls run without a question' }],
  },
  options: [
    { id: 'yes', label: 'Yes', style: 'danger' },
    { id: 'no', label: 'No', isDefault: true },
  ],
}
