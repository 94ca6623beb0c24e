import { hasCode, PipeError } from '../../error.ts'

/** Opens a model that a client has named. One that nobody knows is `invalid`: `config` and `usage` would blame the server. */
export async function namingModel<Result>(open: () => Promise<Result>): Promise<Result> {
  try {
    return await open()
  } catch (error) {
    if (!hasCode(error, 'config') && !hasCode(error, 'usage')) throw error
    const { message } = error
    throw new PipeError('invalid', message, { cause: error, details: { field: 'model', reason: message } })
  }
}
