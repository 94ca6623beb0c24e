import { type PipeError, retryable } from '../../error.ts'

/** Actions that the user has where an error is shown. */
export interface Ways {
  /** Whether keys are stored here. */
  readonly hasKeys: boolean
  /** The key that recalls a message, as it is written for people. Empty: there is none. */
  readonly recall: string
}

/** Says how a conversation goes on after the error of a turn, by its commands and keys. `undefined` if it can only be read. */
export function wayOut({ code, details }: PipeError, { hasKeys, recall }: Ways): string | undefined {
  const back = (purpose: string) =>
    recall === '' ? [] : [`${recall} brings your message back to ${purpose}`]
  const { provider, status } = details
  switch (code) {
    case 'auth':
      return provider === undefined || !hasKeys
        ? undefined
        : joined(`/login ${provider} asks for a key here`, back('send it again'))
    case 'not_found':
      return status === undefined ? undefined : '/model lists the models'
    case 'context_overflow':
      return '/compact shortens the conversation; /model chooses a model with a larger window'
    case 'refused':
      return joined('/model chooses another model', back('change it'))
    default:
      return retryable[code] || code === 'protocol'
        ? joined('/model chooses another model', back('send it again'))
        : undefined
  }
}

function joined(first: string, more: readonly string[]): string {
  return [first, ...more].join('; ')
}
