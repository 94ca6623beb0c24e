import { PipeError } from '../../error.ts'

/** What is to be done with the stored keys. */
export type AuthCommand =
  | { readonly action: 'list' | 'status' }
  | { readonly action: 'set' | 'remove'; readonly provider: string }

const actions: Readonly<Record<string, AuthCommand['action']>> = {
  status: 'status',
  list: 'list',
  set: 'set',
  login: 'set',
  remove: 'remove',
  logout: 'remove',
}

/** Reads the words after `auth`; `undefined` where they are a prompt after all. Throws `usage`. */
export function readAuthCommand(words: readonly string[]): AuthCommand | undefined {
  const [word = 'status', provider, ...more] = words
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined
  if (action === undefined) return undefined
  if (action === 'list' || action === 'status') return provider === undefined ? { action } : undefined
  if (provider === undefined) {
    throw new PipeError('usage', `pipe auth ${word} needs a provider, as in pipe auth ${word} anthropic`)
  }
  if (more.length === 0) return { action, provider }
  // A key that is given here anyway must not go to a model as a prompt.
  if (action === 'set' && more.length === 1) {
    throw new PipeError(
      'usage',
      'a key is not taken from the command line, where other programs see it: it is asked for, or read from stdin. ' +
        'To send the words as a prompt: pipe -- auth …',
    )
  }
  return undefined
}
