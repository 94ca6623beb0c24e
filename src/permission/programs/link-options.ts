import { knownAs } from './recursive.ts'

/** Options that make a command follow the links in a folder that it walks. */
const following: Readonly<Record<string, RegExp>> = {
  grep: /^-[A-Za-z]*[RS]|^--d\w*e?-r/,
  rg: /^-[A-Za-z]*L|^--fol/,
  ag: /^-[A-Za-z]*f|^--fol/,
  ack: /^--fol/,
  find: /^-(L|follow)$/,
  fd: /^-[A-Za-z]*L|^--fol/,
  ls: /^-[A-Za-z0-9]*L|^--d\w*e/,
  du: /^-[A-Za-z0-9]*L|^--d\w*e/,
  tree: /^-[A-Za-z]*l/,
  tar: /^-?[A-Za-z]*[hL]|^--d\w*e/,
  rsync: /^-[A-Za-z]*[Lk]|^--copy/,
  cp: /^-[A-Za-z]*L|^--d\w*e/,
}

/** These follow links unless an option forbids it. */
const alwaysFollowing = new Set(['diff', 'zip', 'scp'])

/**
 * Whether a command follows links that it finds in folders: in the ones it is given (`given`), or also in the one it runs in
 * (`here`). `undefined` if it only follows links that it is given by name.
 */
export function followsLinks(name: string, args: readonly string[]): 'given' | 'here' | undefined {
  if (alwaysFollowing.has(name)) return args.includes('--no-dereference') ? undefined : 'given'
  const command = knownAs(name)
  const options = Object.hasOwn(following, command) ? following[command] : undefined
  return options !== undefined && args.some((arg) => options.test(arg)) ? 'here' : undefined
}
