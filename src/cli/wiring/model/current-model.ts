import type { FirstRequest } from '../../../config/models/auto-route.ts'
import { type ModelChoice, modelName } from '../../../engine.ts'

type Decide = (request: FirstRequest) => ModelChoice

/** The model that answers in a conversation, as last chosen. */
export class CurrentModel {
  #choice: ModelChoice
  /** Absent once a model was chosen. */
  #decide: Decide | undefined

  /** `decide`: decides which model answers a run that begins with this request. Default: the user chose one. */
  constructor(choice: ModelChoice, decide?: Decide) {
    this.#choice = choice
    this.#decide = decide
  }

  get choice(): ModelChoice {
    return this.#choice
  }

  /** `provider/model`. */
  get name(): string {
    return modelName(this.#choice)
  }

  /** Whether the first request has yet to decide. */
  get isUndecided(): boolean {
    return this.#decide !== undefined
  }

  choose(choice: ModelChoice): void {
    this.#choice = choice
    this.#decide = undefined
  }

  /** Returns the choice for a run that begins with this request; `undefined` if one was made before. */
  decide(request: FirstRequest): ModelChoice | undefined {
    if (this.#decide === undefined) return undefined
    this.choose(this.#decide(request))
    return this.#choice
  }
}
