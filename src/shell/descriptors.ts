import { normalize } from 'node:path'

/**
 * Paths of what is open already. To write to one is to write to the file behind it, from its beginning, whatever it was opened for.
 */
const descriptorPath = /^\/(?:dev\/(?:std(?:in|out|err)|fd\/\d+)|proc\/(?:self|thread-self|\d+)\/fd\/\d+)$/

export function isDescriptorPath(path: string): boolean {
  return descriptorPath.test(normalize(path))
}

/** A redirect as far as it is known. */
interface KnownRedirect {
  readonly operator: string
  readonly descriptor?: string
  readonly target: string
}

/** Those of descriptors only where they lead to no file: see `writesBack`. */
const harmlessDevice = /^\/dev\/(null|stdout|stderr)$/

/** Whether a redirect opens a file: it does more than join or close descriptors. */
export function opensFile({ operator, target }: KnownRedirect): boolean {
  if (operator.endsWith('&') && /^\d*-?$/.test(target)) return false
  const path = normalize(target)
  return !harmlessDevice.test(path) && (operator.includes('>') || path !== '/dev/stdin')
}

/**
 * Whether what a command writes to a descriptor's path may come into a file that it reads: all that goes to `/dev/stdin`, and what
 * goes to the others where more than stdin is a file that is read.
 */
export function writesBack(redirects: readonly KnownRedirect[]): boolean {
  const written = redirects.filter(
    ({ operator, target }) => operator.includes('>') && isDescriptorPath(target),
  )
  if (written.length === 0) return false
  if (written.some(({ target }) => !/^\/dev\/std(out|err)$/.test(normalize(target)))) return true
  const read = redirects.filter(({ operator, target }) => /^<>?$/.test(operator) && target !== '/dev/null')
  const copies = redirects.some(({ operator, target }) => operator.endsWith('&') && !/^[12]?-?$/.test(target))
  return read.some(({ descriptor = '0' }) => descriptor !== '0') || (read.length > 0 && copies)
}
