import { IssuerMismatchError } from '@modelcontextprotocol/client'
import { oneLine } from '../../characters/one-line.ts'
import { isPipeError, PipeError } from '../../error.ts'
import type { CleanText } from '../lists/listed-tool.ts'

/** Runs a step of a sign-in. Its failures become `auth` errors with the name of the server, in clean words. */
export async function explained<T>(
  { name, clean }: { readonly name: string; readonly clean: CleanText },
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const code = isPipeError(error) ? error.code : 'auth'
    if (code === 'input' || code === 'aborted') throw error
    throw new PipeError(
      code,
      `cannot sign in to the MCP server ${name}: ${clean(oneLine(wordsOf(error), 500))}`,
      {
        // The cause of a stranger's answer may hold what it was sent.
        ...(isPipeError(error) && { cause: error }),
      },
    )
  }
}

/** Names a failure without the long documents that the errors of schemas print. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof IssuerMismatchError)
    return error.kind === 'metadata'
      ? 'its authorization server says that it is another one'
      : 'the answer does not come from the authorization server that was asked'
  if (error.name === 'ZodError' || error instanceof SyntaxError)
    return 'the authorization server answered with a document that does not follow the protocol'
  return error.message
}
