import type {
  AgentContext,
  ClientCapabilities,
  PermissionOption,
  RequestPermissionRequest,
} from '@agentclientprotocol/sdk'
import type { Answer } from '../conversation.ts'
import { formOf, readForm } from '../frontend/asked-form.ts'
import { askedPage, dangerTexts, type Interaction, type InteractionOption } from '../interaction.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { allowOnce, grants } from '../permission.ts'
import { visible } from '../terminal/visible.ts'
import type { CallWords } from './call-words.ts'

/** A call that runs. */
export interface EditorCall {
  readonly callId: string
  readonly name: string
  readonly arguments: JsonValue
}

export interface EditorQuestionsOptions {
  readonly client: AgentContext
  readonly sessionId: string
  readonly capabilities: ClientCapabilities
  readonly facts: CallWords
  /** Actor id of whoever answers. */
  readonly answeredBy: string
  /** Finds the running call that asks. */
  callOf(question: Interaction): EditorCall | undefined
}

/** Puts questions to the user of an editor: permissions as such, others as forms, or as options where the editor has no forms. */
export class EditorQuestions {
  readonly #options: EditorQuestionsOptions

  constructor(options: EditorQuestionsOptions) {
    this.#options = options
  }

  /** Asks until there is an answer or none is needed. An editor that fails gives no answer. */
  async ask(question: Interaction, signal: AbortSignal): Promise<Answer> {
    const { capabilities, answeredBy } = this.#options
    const page = capabilities.elicitation?.url == null ? undefined : askedPage(question)
    if (page !== undefined) return this.#askByPage(question, page, signal)
    const isPermission = question.purpose === 'confirm_risky_action' && question.parts === undefined
    if (isPermission) return this.#askByOptions(question, signal)
    if (capabilities.elicitation?.form != null) return this.#askByForm(question, signal)
    const canChoose = question.parts === undefined && (question.options?.length ?? 0) > 0
    return canChoose ? this.#askByOptions(question, signal) : { answeredBy, cancelled: true }
  }

  async #askByOptions(question: Interaction, signal: AbortSignal): Promise<Answer> {
    const { client, sessionId, answeredBy } = this.#options
    const options = offered(question)
    const toolCall = this.#describe(question)
    const given = await client.request(
      'session/request_permission',
      { sessionId, toolCall, options },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    )
    const outcome = fieldIn(given, 'outcome')
    const selected = fieldIn(outcome, 'outcome') === 'selected' ? fieldIn(outcome, 'optionId') : undefined
    const chosen = options.find(({ optionId }) => optionId === selected)
    return chosen === undefined
      ? { answeredBy, cancelled: true }
      : { answeredBy, selectedOptionId: chosen.optionId }
  }

  async #askByForm(question: Interaction, signal: AbortSignal): Promise<Answer> {
    const { client, sessionId, answeredBy } = this.#options
    const given = await client.request(
      'elicitation/create',
      { mode: 'form', sessionId, ...formOf(question, visible) },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    )
    return readForm(question, given, { answeredBy, show: visible })
  }

  /** The editor shows the address, and opens it if the user agrees. */
  async #askByPage({ id, display }: Interaction, url: string, signal: AbortSignal): Promise<Answer> {
    const { client, sessionId, answeredBy } = this.#options
    const given = await client.request(
      'elicitation/create',
      { mode: 'url', sessionId, elicitationId: id, url, message: visible(display.title) },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    )
    const action = fieldIn(given, 'action')
    return action === 'accept' || action === 'decline'
      ? { answeredBy, selectedOptionId: action === 'accept' ? 'yes' : 'no' }
      : { answeredBy, cancelled: true }
  }

  #describe(question: Interaction): RequestPermissionRequest['toolCall'] {
    const call = this.#options.callOf(question)
    const { title, description } = question.display
    const { facts } = this.#options
    const isCommand = call !== undefined && facts.command(call.name, call.arguments) !== undefined
    // An editor may show the title alone, so a command stands there in place of the words of the question.
    const words = [
      isCommand ? title : undefined,
      description,
      ...dangerTexts(question.display).map((text) => `Danger: ${text}`),
    ]
    const about = words
      .filter((one) => one !== undefined)
      .map((text) => ({ type: 'content', content: { type: 'text', text: visible(text) } }) as const)
    if (call === undefined)
      return { toolCallId: question.id, title: visible(title), kind: 'other', content: about }
    return {
      toolCallId: call.callId,
      ...facts.describe(call.name, call.arguments),
      ...(!isCommand && { title: visible(title) }),
      content: [...about, ...facts.preview(call.name, call.arguments, question.display)],
    }
  }
}

/** Reads a field of an answer, which may have any form: the protocol's package does not check it. */
function fieldIn(given: unknown, name: string): JsonValue | undefined {
  return isJsonObject(given) ? given[name] : undefined
}

/** An answer that allows more than what is shown needs a second question, which an editor cannot ask, so it is left out. */
function offered({ options = [] }: Interaction): PermissionOption[] {
  return options
    .filter(({ confirm }) => confirm === undefined)
    .map((option) => ({ optionId: option.id, name: nameOf(option), kind: kindOf(option) }))
}

function nameOf({ label, detail }: InteractionOption): string {
  return visible(detail === undefined ? label : `${label} (${detail})`)
}

function kindOf({ id, style }: InteractionOption): PermissionOption['kind'] {
  if (id === allowOnce) return 'allow_once'
  if (id === grants.session || id === grants.always) return 'allow_always'
  return style === 'danger' ? 'reject_once' : 'allow_once'
}
