import type { ModelInfo } from '../model.ts'

/** A model that the user may choose. */
export interface OfferedModel {
  /** `provider/id`. */
  readonly name: string
  readonly facts: Omit<ModelInfo, 'provider' | 'id'>
  /** The reason why it is not usable now, and what helps. */
  readonly missing?: string
  /** Whether a key of its provider is what is missing. Default: false. */
  readonly needsKey?: boolean
}
