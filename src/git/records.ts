/** What git says of paths under `-z`, as `X path` each: the letter and the path. */
export function tagged(output: string): readonly (readonly [tag: string, path: string])[] {
  return output
    .split('\0')
    .filter(Boolean)
    .map((record) => [record.slice(0, 1), record.slice(2)])
}

/** What git says of paths under `-z`, as two records each: what became of it and the path. */
export function pairs(output: string): readonly (readonly [status: string, path: string])[] {
  const fields = output.split('\0')
  const result: (readonly [string, string])[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) result.push([fields[i] ?? '', fields[i + 1] ?? ''])
  return result
}
