import { normalize } from 'node:path'

/** Paths of open descriptors. Writing to one writes to the file behind it, from its start, even if it was opened for reading. */
const descriptorPath = /^\/(?:dev\/(?:std(?:in|out|err)|fd\/\d+)|proc\/(?:self|thread-self|\d+)\/fd\/\d+)$/

export function isDescriptorPath(path: string): boolean {
  return descriptorPath.test(normalize(path))
}

/** A redirect whose target is known. */
interface KnownRedirect {
  readonly operator: string
  readonly descriptor?: string
  readonly target: string
}

/** Standard descriptors are harmless here because `writesBack` checks whether a file is behind them. */
const harmlessDevice = /^\/dev\/(null|stdout|stderr)$/

/** Whether a redirect opens a file, rather than joining or closing descriptors. */
export function opensFile({ operator, target }: KnownRedirect): boolean {
  if (operator.endsWith('&') && /^\d*-?$/.test(target)) return false
  const path = normalize(target)
  return !harmlessDevice.test(path) && (operator.includes('>') || path !== '/dev/stdin')
}

/**
 * Whether output to a descriptor's path may end up in a file that the command reads. Assumes so, except for `/dev/stdout` and
 * `/dev/stderr` if at most stdin is a file and no descriptor is copied.
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
