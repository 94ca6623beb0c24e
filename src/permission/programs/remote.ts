/** Matches a host that is certainly not this machine, optionally with a user. */
const host =
  '(?:[^\\0:/@-][^\\0:/@]*@)?(?=[\\w.-]*[a-z])(?![\\w.-]*(?:0x|localhost|loopback))[a-z\\d_][a-z\\d_.-]*'
/** Matches `ssh` up to the host, if no option names another host and none follows. */
const sshUntilHost = new RegExp(
  `^ssh(?:\\0-[46AaCnqTtvXxYy]*(?:[46AaCnqTtvXxYy]|[ilp]\\0?[^\\0-][^\\0]*))*\\0${host}(?=$|\\0[^-])`,
)
const ofHost = new RegExp(`^${host}:`)

/** Returns the words of `ssh` up to the host, which runs the rest; `undefined` if that is not certain. */
export function untilHost(words: readonly string[]): readonly string[] | undefined {
  return sshUntilHost.exec(words.join('\0'))?.[0].split('\0')
}

/** Whether a word names a file on another machine to `scp`, `rsync` or `sftp`. */
export function isRemoteFile(text: string): boolean {
  return ofHost.test(text)
}
