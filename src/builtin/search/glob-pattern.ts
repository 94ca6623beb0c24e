/** The glob as one of names at any depth, where it says no more than that and every program reads it alike. */
export function nameGlob(glob: string): string | undefined {
  const name = glob.replace(/^(\.\/)?(\*\*\/)+/, '')
  return /^([\w.*?-]|\{[\w.*?-]+(,[\w.*?-]+)+\})+$/.test(name) ? name : undefined
}
