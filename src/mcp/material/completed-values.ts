import { isJsonObject } from '../../json-value.ts'
import type { ManagedServer } from '../managed-server.ts'

/** An argument of a prompt or a place of a template that is being filled. */
export interface CompletedArgument {
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string }
  readonly name: string
  /** The typed beginning of it. */
  readonly value: string
  /** The values of those before it. */
  readonly filled: Readonly<Record<string, string>>
}

/** Most values that a server offers for an argument. */
const mostValues = 50

/** Asks a server for values of an argument. None if it offers none. Throws as `ManagedServer.complete`. */
export async function completedValues(
  server: ManagedServer,
  { ref, name, value, filled }: CompletedArgument,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const answer = await server.complete(
    { ref, argument: { name, value }, context: { arguments: filled } },
    signal,
  )
  const values =
    isJsonObject(answer) && isJsonObject(answer['completion']) ? answer['completion']['values'] : []
  return (Array.isArray(values) ? values : []).filter((one) => typeof one === 'string').slice(0, mostValues)
}
