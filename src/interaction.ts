import { PipeError } from './error.ts'
import type { InteractionId } from './id.ts'
import type { JsonValue } from './json-value.ts'

/** A question to the user, for permissions, choices and missing information. */
export interface Interaction {
  readonly id: InteractionId
  readonly kind: 'select' | 'confirm' | 'input' | 'composite'
  readonly purpose: 'choose_strategy' | 'request_info' | 'confirm_risky_action' | 'assign_subtask' | 'generic'
  readonly display: {
    readonly title: string
    readonly description?: string
    readonly content?: JsonValue
    readonly contentKind?: 'plain_text' | 'json' | 'diff' | 'table'
  }
  readonly options?: readonly InteractionOption[]
  readonly validation?: { readonly regex?: string; readonly required?: boolean }
  /** Questions of a `composite`, asked in this order. None is a composite. */
  readonly parts?: readonly Interaction[]
}

export interface InteractionOption {
  readonly id: string
  readonly label: string
  readonly style?: 'primary' | 'danger' | 'default'
  readonly isDefault?: boolean
}

export interface InteractionResponse {
  readonly interactionId: InteractionId
  /** Actor id of the user who answered, such as `localUser`. */
  readonly answeredBy: string
  readonly selectedOptionId?: string
  readonly inputValue?: string
  readonly comment?: string
  /** Answers of a `composite`, one for each part. */
  readonly parts?: readonly InteractionResponse[]
  /** No answer will come: the run was interrupted or the user left. */
  readonly cancelled?: boolean
}

/** Throws `invalid` if an answer does not fit its question. A cancelled answer always fits. */
export function validateResponse(interaction: Interaction, response: InteractionResponse): void {
  if (response.cancelled === true) return
  const { options = [], validation, parts = [] } = interaction
  for (const part of parts) {
    const answer = response.parts?.find(({ interactionId }) => interactionId === part.id)
    if (answer === undefined) throw new PipeError('invalid', `no answer to: ${part.display.title}`)
    validateResponse(part, answer)
  }
  const chosen = response.selectedOptionId
  if (chosen !== undefined && !options.some((option) => option.id === chosen)) {
    const choices =
      options.length === 0 ? 'there are none' : `choose ${options.map(({ id }) => id).join(', ')}`
    throw new PipeError('invalid', `no option ${chosen}: ${choices}`)
  }
  if (validation?.required === true && chosen === undefined && (response.inputValue ?? '') === '') {
    throw new PipeError('invalid', 'an answer is required')
  }
  if (validation?.regex !== undefined && response.inputValue !== undefined) {
    if (!new RegExp(validation.regex, 'u').test(response.inputValue)) {
      throw new PipeError('invalid', `the answer does not match ${validation.regex}`)
    }
  }
}
