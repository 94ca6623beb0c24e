/** Reduces a glob to a name at any depth, if that is all it means and every program reads it the same way. */
export function nameGlob(glob: string): string | undefined {
  const name = glob.replace(/^(\.\/)?(\*\*\/)+/, '')
  return /^([\w.*?-]|\{[\w.*?-]+(,[\w.*?-]+)+\})+$/.test(name) ? name : undefined
}
