/** Lists the first few names, and how many more there are: `a, b and 3 more`. */
export function enumerate(names: readonly string[], most: number, separator = ', '): string {
  const more = names.length > most ? ` and ${names.length - most} more` : ''
  return names.slice(0, most).join(separator) + more
}
