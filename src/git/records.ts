/** Parses records `X path` of git's `-z` output: a letter and a path. */
export function tagged(output: string): readonly (readonly [tag: string, path: string])[] {
  return output
    .split('\0')
    .filter(Boolean)
    .map((record) => [record.slice(0, 1), record.slice(2)])
}

/** Parses git's `-z` output with two records per path: the status and the path. */
export function pairs(output: string): readonly (readonly [status: string, path: string])[] {
  const fields = output.split('\0')
  const result: (readonly [string, string])[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) result.push([fields[i] ?? '', fields[i + 1] ?? ''])
  return result
}
