import { knownAs } from './goes-down.ts'

/** Options by which a command, on its way through a folder, goes on to what the links in it lead to. */
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

/** These go to what a link leads to unless they are told not to. */
const alwaysFollowing = new Set(['diff', 'zip', 'scp'])

/**
 * Where a command, by its name and the words behind it, also reads what links lead to that it comes upon: in the folders it is
 * given (`given`), or in the one it runs in as well (`here`). `undefined` for one that only follows links it is given by name.
 */
export function followsLinks(name: string, args: readonly string[]): 'given' | 'here' | undefined {
  if (alwaysFollowing.has(name)) return args.includes('--no-dereference') ? undefined : 'given'
  const command = knownAs(name)
  const options = Object.hasOwn(following, command) ? following[command] : undefined
  return options !== undefined && args.some((arg) => options.test(arg)) ? 'here' : undefined
}
