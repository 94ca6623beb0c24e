/** Matches a host that is certainly not this machine, optionally with a user. */
const host =
  '(?:[^\\0:/@-][^\\0:/@]*@)?(?=[\\w.-]*[a-z])(?![\\w.-]*(?:0x|localhost|loopback))[a-z\\d_][a-z\\d_.-]*'
const isHost = new RegExp(`^${host}$`)
const ofHost = new RegExp(`^${host}:`)

/** Flags of `ssh`, or an option whose value may be attached. No other option counts, because it may name another host. */
const sshOption = /^-(?:[46AaCnqTtvXxYy]+|[46AaCnqTtvXxYy]*([ilp])(.*))$/s
const isOperand = /^[^-]/

/** Returns the words of `ssh` up to the host, which runs the rest; `undefined` if that is not certain. */
export function untilHost(words: readonly string[]): readonly string[] | undefined {
  const [name, ...args] = words
  if (name !== 'ssh') return undefined
  let at = 0
  for (; args[at]?.startsWith('-'); at++) {
    const [option, valued, attached] = sshOption.exec(args[at] ?? '') ?? []
    if (option === undefined) return undefined
    const value = valued === undefined ? undefined : attached || (args[++at] ?? '')
    if (value !== undefined && !isOperand.test(value)) return undefined
  }
  const [found = '', next] = args.slice(at)
  const isCertain = isHost.test(found) && (next === undefined || isOperand.test(next))
  return isCertain ? words.slice(0, at + 2) : undefined
}

/** Whether a word names a file on another machine to `scp`, `rsync` or `sftp`. */
export function isRemoteFile(text: string): boolean {
  return ofHost.test(text)
}
