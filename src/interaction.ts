import { PipeError } from './error.ts'
import type { InteractionId } from './id.ts'
import { isJsonObject, type JsonValue } from './json-value.ts'

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
    /** Dangers of what is asked about, the gravest first. Default: none is known. */
    readonly dangers?: readonly Danger[]
  }
  readonly options?: readonly InteractionOption[]
  /** Answers that are not offered here although they often are, and why. */
  readonly withheld?: readonly WithheldOption[]
  readonly validation?: { readonly regex?: string; readonly required?: boolean }
  /** Questions of a `composite`, asked in this order. None is a composite. */
  readonly parts?: readonly Interaction[]
  /** The call that needs an approval. Only in the process that asks, and absent for a question of an earlier run. */
  readonly call?: CallInQuestion
}

/** A call of a tool, with the arguments that it would run with. */
export interface CallInQuestion {
  readonly name: string
  readonly arguments: JsonValue
  /** The rules that the answers for this session and for always add. Default: none. */
  readonly rules?: readonly string[]
  /** The text that it would leave in the file of this path, which the user may change first. */
  readonly proposal?: { readonly path: string; readonly text: string }
}

/** A danger in words for people, such as `deletes build/`. */
export interface Danger {
  readonly text: string
  /** The part of the content's field `command` that it is about, in UTF-16 code units. Default: all of it, or another field. */
  readonly start?: number
  readonly end?: number
}

/** Returns the words of the dangers of a question, each once. */
export function dangerTexts({ dangers = [] }: { readonly dangers?: readonly Danger[] }): readonly string[] {
  return [...new Set(dangers.map(({ text }) => text))]
}

export interface InteractionOption {
  readonly id: string
  readonly label: string
  readonly style?: 'primary' | 'danger' | 'default'
  readonly isDefault?: boolean
  /** Adds to the label, such as the file in which a rule is saved. */
  readonly detail?: string
  /** Asked before this answer is sent, because it allows more than what is shown: `Allow every command this session?` */
  readonly confirm?: string
}

export interface WithheldOption extends Pick<InteractionOption, 'id' | 'label'> {
  /** Follows "not offered: ". */
  readonly reason: string
}

export interface InteractionResponse {
  readonly interactionId: InteractionId
  /** Actor id of the user who answered, such as `localUser`. */
  readonly answeredBy: string
  readonly selectedOptionId?: string
  readonly inputValue?: string
  readonly comment?: string
  /** The arguments that an approved call runs with instead. Rules that deny hold for them too. */
  readonly arguments?: JsonValue
  /**
   * The text that the user wrote in place of the call's proposal: neither a yes nor a no, and the changed call is asked about. Only in the
   * process that asks.
   */
  readonly revisedText?: string
  /** Answers of a `composite`, one for each part. */
  readonly parts?: readonly InteractionResponse[]
  /** No answer will come: the run was interrupted or the user left. */
  readonly cancelled?: boolean
}

/** Returns the page that a question asks the user to open, to be answered with `yes` or `no`; `undefined` for another question. */
export function askedPage({ kind, display: { content }, options = [] }: Interaction): string | undefined {
  if (kind !== 'confirm' || options.map(({ id }) => id).join() !== 'no,yes') return undefined
  const url = isJsonObject(content) ? content['url'] : undefined
  return typeof url === 'string' ? url : undefined
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
