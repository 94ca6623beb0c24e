/** A value, or the reason why there is none. */
export type Result<T> = { readonly type: 'ok'; readonly value: T } | Refused

export interface Refused {
  readonly type: 'refused'
  readonly reason: string
}

export function ok<T>(value: T): Result<T> {
  return { type: 'ok', value }
}

export function refused(reason: string): Refused {
  return { type: 'refused', reason }
}

/** All values, or the first refusal. */
export function allOf<T>(results: readonly Result<T>[]): Result<readonly T[]> {
  const refusal = results.find((one) => one.type === 'refused')
  return refusal ?? ok(results.flatMap((one) => (one.type === 'ok' ? [one.value] : [])))
}
