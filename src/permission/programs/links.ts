import { programOf } from './table.ts'

/**
 * Whether a command follows links that it finds in folders: in the ones it is given (`given`), or also in the one it runs in
 * (`here`). `undefined` if it only follows links that it is given by name.
 */
export function followsLinks(name: string, args: readonly string[]): 'given' | 'here' | undefined {
  const options = programOf(name)?.followsLinks
  if (options === 'always') return args.includes('--no-dereference') ? undefined : 'given'
  return options !== undefined && args.some((arg) => options.test(arg)) ? 'here' : undefined
}
