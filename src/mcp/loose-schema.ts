import type { jsonSchemaValidator, StandardSchemaV1 } from '@modelcontextprotocol/client'

/**
 * Takes any result as it is. The client's own schemas lose a whole list for one bad tool, so results are read piece by piece instead.
 */
export const anything: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'pipe', validate: (value) => ({ value }) },
}

/** Compiles no schema of a server, because its patterns could block the process. Nothing here asks for a check. */
export const noValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'it is not checked' }),
}
