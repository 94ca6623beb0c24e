import type { FirstRequest } from '../../../config/models/auto-route.ts'
import { type ModelChoice, modelName } from '../../../engine.ts'
import type { ModelOrigin } from './chosen-model.ts'

type Decide = (request: FirstRequest) => ModelChoice

/** The model that answers in a conversation, as last chosen. */
export class CurrentModel {
  #choice: ModelChoice
  /** Absent once a model was chosen. */
  #decide: Decide | undefined
  #lent: ModelChoice | undefined
  #origin: ModelOrigin

  /** `decide`: decides which model answers a run that begins with this request. Default: the user chose one. */
  constructor(choice: ModelChoice, decide?: Decide, origin: ModelOrigin = 'run') {
    this.#choice = choice
    this.#origin = origin
    this.#decide = decide
  }

  get choice(): ModelChoice {
    return this.#choice
  }

  /** Answers the turn, and elves that name no other: the choice, unless another model is lent to the turn. */
  get inForce(): ModelChoice {
    return this.#lent ?? this.#choice
  }

  /** Lets another model answer until the returned function is called, or one is chosen. */
  lend(choice: ModelChoice): () => void {
    this.#lent = choice
    return () => {
      if (this.#lent === choice) this.#lent = undefined
    }
  }

  /** `provider/model`. */
  get name(): string {
    return modelName(this.#choice)
  }

  /** Its source. */
  get origin(): ModelOrigin {
    return this.#origin
  }

  /** Whether the first request has yet to decide. */
  get isUndecided(): boolean {
    return this.#decide !== undefined
  }

  choose(choice: ModelChoice): void {
    // Another level of thinking, and the route that the first message took, leave the choice where it was.
    if (this.#decide === undefined && modelName(choice) !== this.name) this.#origin = 'user'
    this.#choice = choice
    this.#decide = undefined
    this.#lent = undefined
  }

  /** Returns the choice for a run that begins with this request; `undefined` if one was made before. */
  decide(request: FirstRequest): ModelChoice | undefined {
    if (this.#decide === undefined) return undefined
    this.choose(this.#decide(request))
    return this.#choice
  }
}
